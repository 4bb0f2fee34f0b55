# Read by scripts that fetch Debian packages without installing anything and without touching the machine's own apt. Needs
# no root.
#   private_apt WORK ARCH [SUITE [COMPONENT]]    has apt-get and apt-cache keep their state in WORK, for that processor, and for
#                                                that release of Debian, or that part of it, instead of the machine's own
private_apt() {
	mkdir -p "$1/state/lists/partial" "$1/cache/archives/partial" "$1/none"
	: >"$1/state/status"
	if [ -n "${3:-}" ]; then
		# The machine's own source of packages has the other releases too, or doesn't.
		# shellcheck disable=SC2016 # apt's own variable
		uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | grep -v security | head -n 1)
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
	# A list that could not be renewed is no failure: the download tells.
	apt-get -qq update >&2 || true
}
