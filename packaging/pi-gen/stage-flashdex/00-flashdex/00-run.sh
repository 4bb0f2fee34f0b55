#!/bin/bash -e

# There is no public site yet: this line is the only place of its address. config may export another.
FLASHDEX_SITE="${FLASHDEX_SITE:-https://flashdex.example}"

case "${ARCH}" in
	arm64) CLIENT=flashdex-linux-arm64 ;;
	# The armhf of Raspberry Pi OS includes the Raspberry Pi 1 and Zero.
	armhf) CLIENT=flashdex-linux-armv6 ;;
	*)
		echo "stage-flashdex: there is no client for ARCH \"${ARCH}\"; build for arm64 or armhf" >&2
		exit 1
		;;
esac

curl -fsSL --proto '=https' --proto-redir '=https' -o "${STAGE_WORK_DIR}/${CLIENT}" "${FLASHDEX_SITE}/client/${CLIENT}"

# The sums are pinned here, so that an image doesn't change with the site.
if ! grep " ${CLIENT}\$" files/SHA256SUMS | (cd "${STAGE_WORK_DIR}" && sha256sum -c -); then
	echo "stage-flashdex: ${CLIENT} is not the one of files/SHA256SUMS. For a new release, take its sum from" \
		"${FLASHDEX_SITE}/client/SHA256SUMS, whose signature you have checked" >&2
	exit 1
fi

install -v -m 755 "${STAGE_WORK_DIR}/${CLIENT}" "${ROOTFS_DIR}/usr/local/bin/flashdex"
