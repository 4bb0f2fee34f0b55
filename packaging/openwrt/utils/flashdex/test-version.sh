#!/bin/sh
# The generic check asks for --version. Here that is a command.

case "$PKG_NAME" in
flashdex)
	flashdex version | grep -F "flashdex $PKG_VERSION "
	;;

*)
	echo "Untested package: $PKG_NAME" >&2
	exit 1
	;;
esac
