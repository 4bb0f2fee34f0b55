# shellcheck shell=bash disable=SC2034 # armbian-config reads module_options
# There is no public site yet: this line is the only place of its address.
declare -g FLASHDEX_SITE="https://flashdex.example"
declare -g FLASHDEX_BIN="/usr/local/bin/flashdex"

module_options+=(
	["module_flashdex,author"]="@flashdex"
	["module_flashdex,maintainer"]="@flashdex"
	["module_flashdex,feature"]="module_flashdex"
	["module_flashdex,example"]="install remove status run help"
	["module_flashdex,desc"]="Measure how fast the card or eMMC really is that the system runs from"
	["module_flashdex,port"]=""
	["module_flashdex,status"]="Active"
	["module_flashdex,arch"]="x86-64 arm64 armhf riscv64"
	["module_flashdex,doc_link"]="${FLASHDEX_SITE}/test/"
	["module_flashdex,group"]="System"
	# Custom command help descriptions
	["module_flashdex,help_install"]="Install flashdex as ${FLASHDEX_BIN}"
	["module_flashdex,help_remove"]="Remove flashdex; the results in ~/.local/share/flashdex stay"
	["module_flashdex,help_status"]="Return 0 if flashdex is installed"
	["module_flashdex,help_run"]="Measure what / is on, or pass arguments to flashdex: run --profile quick /"
)
#
# Module flashdex
#
# What is installed is a script of a few kilobytes. At each run it fetches the
# client for this board, checks its checksum and signature, and removes it
# afterwards. So nothing has to be updated here, and every architecture is
# served.
#
function module_flashdex () {
	local title="Flashdex"

	local commands
	IFS=' ' read -r -a commands <<< "${module_options["module_flashdex,example"]}"

	case "$1" in

		"${commands[0]}") # install
			pkg_installed curl || pkg_install curl || return 1
			# A name of its own first: a broken download must not replace a script that works.
			if ! curl -fsSL --proto '=https' --proto-redir '=https' \
				-o "${FLASHDEX_BIN}.new" "${FLASHDEX_SITE}/run.sh"; then
				rm -f "${FLASHDEX_BIN}.new"
				echo "flashdex was not installed: ${FLASHDEX_SITE}/run.sh can't be fetched. Check the network and try again." >&2
				return 1
			fi
			chmod 755 "${FLASHDEX_BIN}.new" && mv "${FLASHDEX_BIN}.new" "$FLASHDEX_BIN"
			;;

		"${commands[1]}") # remove
			rm -f "$FLASHDEX_BIN"
			;;

		"${commands[2]}") # status
			[[ -x "$FLASHDEX_BIN" ]]
			;;

		"${commands[3]}") # run
			if [[ ! -x "$FLASHDEX_BIN" ]]; then
				echo "flashdex is not installed. Install it first: armbian-config --api module_flashdex install" >&2
				return 1
			fi
			# /, and not /tmp or /var/log, which Armbian keeps in memory.
			"$FLASHDEX_BIN" "${2:-/}" "${@:3}"
			;;

		"${commands[4]}") # help
			show_module_help "module_flashdex" "$title" \
				"A run writes one file of 256 MiB to / and removes it, in 2 to 6 minutes. It asks before it uploads." \
				"native"
			;;

		*)
			module_flashdex "${commands[4]}"
			;;
	esac
}
