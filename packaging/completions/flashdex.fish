# Completion of flashdex for fish.

set -l commands compare delete health help import list name resume rotate show signed upload verify version watch
set -l none "not __fish_seen_subcommand_from $commands"
set -l imports '__fish_seen_subcommand_from import'
set -l measures "$none; or __fish_seen_subcommand_from resume verify"
set -l devices "$none; or __fish_seen_subcommand_from verify"
set -l describes "$none; or $imports; or __fish_seen_subcommand_from verify"

complete -c flashdex -f
complete -c flashdex -n $none -a '(__fish_complete_directories)'
complete -c flashdex -n $none -a compare -d 'Print results side by side'
complete -c flashdex -n $none -a delete -d 'Take results back from the site'
complete -c flashdex -n $none -a health -d 'Ask a card or eMMC how worn it is'
complete -c flashdex -n $none -a help -d 'Explain a topic'
complete -c flashdex -n $none -a import -d 'Read what iozone, fio, dd and other tools printed'
complete -c flashdex -n $none -a list -d 'List your results, their states and addresses'
complete -c flashdex -n $none -a name -d 'Say which module a result is of'
complete -c flashdex -n $none -a resume -d 'Continue an interrupted run of the reference profile'
complete -c flashdex -n $none -a rotate -d 'Change the secret that identifies your results'
complete -c flashdex -n $none -a show -d 'Print a result'
complete -c flashdex -n $none -a signed -d 'Check a signature of minisign or signify'
complete -c flashdex -n $none -a upload -d 'Upload results that are not uploaded yet'
complete -c flashdex -n $none -a verify -d 'Check for fake capacity'
complete -c flashdex -n $none -a version -d 'Print the version and the platform'
complete -c flashdex -n $none -a watch -d 'Measure once a month and tell when it gets slower'

complete -c flashdex -n '__fish_seen_subcommand_from help' \
    -a 'profiles module device health watch results import signature exit all'
complete -c flashdex -n '__fish_seen_subcommand_from compare delete name show upload' -k \
    -a '(__fish_complete_suffix .json)'
complete -c flashdex -n '__fish_seen_subcommand_from verify watch' -a '(__fish_complete_directories)'
complete -c flashdex -n '__fish_seen_subcommand_from import resume signed' -F

complete -c flashdex -n $none -l profile -x -d 'Which tests to run' \
    -a 'quick standard sustained recording recorder structure queue saturate mixed endure sweep iozone files startup reference'
complete -c flashdex -n $none -l time -x -a '10m 30m 1h' -d 'The time limit of random writes'
complete -c flashdex -n $none -l rate -x -d 'At which data come to recorder, such as 10MB/s'
complete -c flashdex -n '__fish_seen_subcommand_from resume' -l end -xa 'stopped gone' -d 'How a run of endure ends'
complete -c flashdex -n $none -l configuration -x -d 'How the program of startup is set up'
complete -c flashdex -n $none -l filesystem -x -a ext4 -d 'What reference measures a file on'
complete -c flashdex -n "$none; or __fish_seen_subcommand_from watch" -l wear \
    -d 'Ask how worn it is, and publish that coarsely'
complete -c flashdex -n $none -l help -d 'Print a short help'

complete -c flashdex -n $describes -l vendor -x -d 'The maker printed on the module'
complete -c flashdex -n $describes -l product -x -d 'The product printed on the module'
complete -c flashdex -n $describes -l capacity -x -d 'The capacity printed on the module, such as 32GB'
complete -c flashdex -n $describes -l form -x -a 'sd microsd sdexpress cf usb emmc other' -d 'The form of the module'
complete -c flashdex -n $describes -l price -x -d 'The price that you paid, such as 9.99EUR'
complete -c flashdex -n $describes -l bought -x -d 'When you bought it, such as 2026-10'

# Whole devices: the client refuses partitions.
complete -c flashdex -n $devices -l device -x -d 'A whole module, whose data are destroyed' \
    -a '(string replace /sys/block/ /dev/ /sys/block/* | string match -rv "/(loop|ram|zram)")'
complete -c flashdex -n $devices -l erase -d 'Destroy the data of --device'

complete -c flashdex -n 'not __fish_seen_subcommand_from compare health help show signed version' -l site -x \
    -d 'The site that takes results'
complete -c flashdex -n 'not __fish_seen_subcommand_from compare help list name rotate show signed version' -l yes \
    -d 'Ask nothing'
complete -c flashdex -n "$measures; or $imports" -l upload -d 'Upload the result'
complete -c flashdex -n "$measures; or $imports" -l no-upload -d 'Do not upload the result'
complete -c flashdex -n "$measures; or $imports" -l print-payload -d 'Print exactly what would be sent'
complete -c flashdex -n "$measures; or __fish_seen_subcommand_from health import show" -l json -d 'Print one JSON object'

complete -c flashdex -n '__fish_seen_subcommand_from health' -l prometheus -r -F -d 'Write it for node_exporter'
complete -c flashdex -n '__fish_seen_subcommand_from health' \
    -a '(string replace /sys/block/ /dev/ /sys/block/* | string match -rv "/(loop|ram|zram)")'
complete -c flashdex -n '__fish_seen_subcommand_from delete' -l all -d 'Delete all your results'
complete -c flashdex -n '__fish_seen_subcommand_from show' -l plot -d 'Draw the rate and the latencies'
complete -c flashdex -n $imports -l dry-run -d 'Show what would become results'
complete -c flashdex -n $imports -l test -x -a 'seq-write seq-read rand-write rand-read unknown' -d 'What it is of'
complete -c flashdex -n $imports -l block-size -x -a unknown -d 'The size of a block, such as 4k'
complete -c flashdex -n $imports -l direct -x -a 'yes no unknown' -d 'Whether past the page cache'
complete -c flashdex -n $imports -l sync -x -a 'none fsync dsync sync unknown' -d 'How writes were flushed'
complete -c flashdex -n $imports -l unit -x -a 'kb ops unknown' -d 'What the table shows'
