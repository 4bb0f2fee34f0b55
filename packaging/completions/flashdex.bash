# shellcheck shell=bash
# Completion of flashdex for bash 4 and later. It needs nothing of the package bash-completion.

# _flashdex_add PREFIX WORD OPTIONS... adds the words that compgen finds for WORD, each after PREFIX.
_flashdex_add() {
  local prefix=$1 word=$2 found
  shift 2
  mapfile -t found < <(compgen "$@" -- "$word")
  COMPREPLY+=("${found[@]/#/$prefix}")
}

_flashdex() {
  local commands='compare delete health help import list name resume rotate show signed upload verify version watch'
  local module='--vendor --product --capacity --form --price --bought'
  local sending='--site --yes --upload --no-upload --json --print-payload'
  local cur=${COMP_WORDS[COMP_CWORD]} flag=${COMP_WORDS[COMP_CWORD - 1]} prefix='' command='' program='' devices='' values path i
  COMPREPLY=()

  # Whole devices: the client refuses partitions.
  for path in /sys/block/*; do
    case ${path##*/} in loop* | ram* | zram*) ;; *) devices+=" /dev/${path##*/}" ;; esac
  done

  # readline splits --flag=value into three words, unless = was taken out of COMP_WORDBREAKS.
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $flag == = ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $cur == --*=* ]]; then
    flag=${cur%%=*} prefix=${cur%%=*}= cur=${cur#*=}
  fi

  # The command is the first word that is neither a flag nor a flag's value.
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --)
        program=1
        break
        ;;
      --vendor | --product | --capacity | --form | --price | --bought | --site | --device | --filesystem | --time | \
        --configuration | --end | --profile | --test | --block-size | --direct | --sync | --unit | --prometheus)
        i=$((i + 1))
        [[ ${COMP_WORDS[i]} != = ]] || i=$((i + 1))
        ;;
      -*) ;;
      *) command=${command:-${COMP_WORDS[i]}} ;;
    esac
  done

  # After -- comes the command that the startup profile starts.
  if [[ $program ]]; then
    _flashdex_add '' "$cur" -c
    return
  fi

  case $flag in
    --profile) values='quick standard sustained recording recorder structure queue saturate mixed endure sweep iozone files startup reference' ;;
    --form) values='sd microsd sdexpress cf usb emmc other' ;;
    --time) values='10m 30m 1h' ;;
    --filesystem) values=ext4 ;;
    --end) values='stopped gone' ;;
    --test) values='seq-write seq-read rand-write rand-read unknown' ;;
    --direct) values='yes no unknown' ;;
    --sync) values='none fsync dsync sync unknown' ;;
    --unit) values='kb ops unknown' ;;
    --block-size) values=unknown ;;
    --device) values=$devices ;;
    --prometheus)
      _flashdex_add "$prefix" "$cur" -f -X '!*.prom'
      return
      ;;
    --vendor | --product | --capacity | --price | --bought | --site | --rate | --configuration) return ;;
    *) flag='' ;;
  esac
  if [[ $flag ]]; then
    _flashdex_add "$prefix" "$cur" -W "$values"
    return
  fi

  if [[ $cur == -* ]]; then
    case $command in
      compare | help | signed | version) values='' ;;
      delete) values='--all --site --yes' ;;
      health) values='--yes --json --prometheus' ;;
      import) values="$module --test --block-size --direct --sync --unit --dry-run $sending" ;;
      list | name | rotate) values=--site ;;
      resume) values="--end $sending" ;;
      show) values='--plot --json' ;;
      upload) values='--site --yes' ;;
      verify) values="$module --device --erase $sending" ;;
      watch) values='--profile --site --wear --yes --upload --no-upload' ;;
      *) values="--profile --time --rate --configuration --filesystem $module --device --erase --wear $sending --help" ;;
    esac
    _flashdex_add '' "$cur" -W "$values"
    return
  fi

  # Outside of a completion, as in a test, there is no option to set.
  compopt -o filenames 2>/dev/null
  case $command in
    '')
      _flashdex_add '' "$cur" -W "$commands"
      _flashdex_add '' "$cur" -d
      ;;
    compare | delete | name | show | upload)
      _flashdex_add '' "$cur" -f -X '!*.json'
      _flashdex_add '' "$cur" -d
      ;;
    help) _flashdex_add '' "$cur" -W 'profiles module device health watch results import signature exit all' ;;
    import | resume | signed) _flashdex_add '' "$cur" -f ;;
    health) _flashdex_add '' "$cur" -W "$devices" ;;
    verify) _flashdex_add '' "$cur" -d ;;
    watch) _flashdex_add '' "$cur" -f ;;
  esac
}

complete -F _flashdex flashdex
