# Scripts source this file to fetch Debian packages without root, without installing them and without touching the
# machine's own apt.
#   private_apt WORK ARCH [SUITE [COMPONENT]]
# makes apt-get and apt-cache keep their state in WORK, and use the given processor, release of Debian and part of it
# instead of the machine's own.
private_apt() {
	mkdir -p "$1/state/lists/partial" "$1/cache/archives/partial" "$1/none"
	: >"$1/state/status"
	if [ -n "${3:-}" ]; then
		# Try the machine's mirror, which may have the other releases too.
		# shellcheck disable=SC2016 # apt's own variable
		uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' |
			grep -v security | head -n 1)
		echo "deb $uri $3 ${4:-main}" >"$1/sources.list"
	fi
	cat >"$1/apt.conf" <<-END
		APT::Architecture "$2";
		APT::Architectures { "$2"; };
		APT::Sandbox::User "";
		Acquire::Languages "none";
		Dir::State "$1/state";
		Dir::State::status "$1/state/status";
		Dir::Cache "$1/cache";
	END
	[ -z "${3:-}" ] || cat >>"$1/apt.conf" <<-END
		Dir::Etc::sourcelist "$1/sources.list";
		Dir::Etc::sourceparts "$1/none";
		Acquire::Check-Valid-Until "false";
	END
	export APT_CONFIG="$1/apt.conf"
	# Ignore a failed update: the download fails if the list is needed.
	apt-get -qq update >&2 || true
}
