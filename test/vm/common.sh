# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the scripts on this side of the guest share. Sourced, not run.

say()
{
	echo "${0##*/}: $*"
}

die()
{
	echo "${0##*/}: $*" >&2
	exit 125
}

cache_dir()
{
	echo "${STEPWELL_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/stepwell}"
}

host_suite()
{
	(. /etc/os-release && echo "${VERSION_CODENAME:-unknown}")
}

# Prints the guest's packages, one a line. Add a package here; the guest is
# then built anew.
guest_packages()
{
	local suite=$1 elf

	case $suite in
	bookworm) elf=libelf1 ;;
	trixie) elf=libelf1t64 ;;
	*) die "no guest for the Debian release $suite; bookworm and trixie" \
	       'are known (--suite NAME)' ;;
	esac
	printf '%s\n' systemd systemd-sysv dbus udev kmod procps iproute2 \
		libzstd1 libbpf1 "$elf" libjson-c5 libyaml-0-2 time strace \
		python3
}

# Prints the folder of the guest that the present recipe gives.
guest_dir()
{
	local suite=$1 here key

	here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
	key=$({
		echo "$suite"
		guest_packages "$suite"
		cat "$here/build-guest" "$here"/guest/*
	} | sha256sum | cut -c1-16)
	echo "$(cache_dir)/vm/$key"
}
