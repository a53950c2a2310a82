# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Common code of the scripts outside of the guest.  Sourced, not run.

say()
{
	echo "${0##*/}: $*"
}

die()
{
	echo "${0##*/}: $*" >&2
	exit 125
}

# mke2fs and others are there, which may be missing in a user's PATH.
PATH=$PATH:/usr/sbin:/sbin

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# Dependencies of the scripts here, a row for each: purpose, program or file,
# and the Debian package that contains it.
needs="build debootstrap debootstrap
build mke2fs e2fsprogs
build busybox busybox-static
build cpio cpio
build gzip gzip
build flock util-linux
build sha256sum coreutils
build $keyring debian-archive-keyring
run qemu-system-x86_64 qemu-system-x86
run qemu-img qemu-utils
run mke2fs e2fsprogs
run debugfs e2fsprogs
run e2fsck e2fsprogs
cluster qemu-system-x86_64 qemu-system-x86
cluster qemu-img qemu-utils
cluster python3 python3-minimal
cluster setsid util-linux"

# need_packages CONSEQUENCE PURPOSE...: if any are missing, give up and name all
# packages, so that one installation is enough.
need_packages()
{
	local consequence=$1 purpose thing package missing=''
	shift

	while read -r purpose thing package; do
		[[ " $* " == *" $purpose "* ]] || continue
		[[ " $missing " != *" $package "* ]] || continue
		if [ "${thing#/}" != "$thing" ]; then
			[ -r "$thing" ] || missing="$missing $package"
		elif ! command -v "$thing" >/dev/null; then
			missing="$missing $package"
		fi
	done <<<"$needs"
	[ -z "$missing" ] ||
		die "missing Debian packages:$missing; $consequence" \
		    "(apt-get install$missing)"
}

is_guest_complete()
{
	[ -s "$1/root.img" ] && [ -s "$1/vmlinuz" ] && [ -s "$1/initramfs" ]
}

cache_dir()
{
	echo "${STEPWELL_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/stepwell}"
}

host_suite()
{
	(. /etc/os-release && echo "${VERSION_CODENAME:-unknown}")
}

# Print the guest's packages, one a line.  If a package is added here, the guest
# is rebuilt.
guest_packages()
{
	local suite=$1 elf

	case $suite in
	bookworm) elf='libelf1 libdw1' ;;
	trixie | forky) elf='libelf1t64 libdw1t64' ;;
	*) die "no guest for the Debian release $suite; bookworm, trixie and" \
	       'forky are known (--suite NAME)' ;;
	esac
	# shellcheck disable=SC2086 # two of them
	printf '%s\n' systemd systemd-sysv dbus udev kmod procps iproute2 \
		libzstd1 libbpf1 $elf libpfm4 libhwloc15 libjson-c5 libyaml-0-2 \
		libsqlite3-0 time strace python3 bwa
}

# The kernel is independent of the suite: fixtures and cases name its version.
kernel_suite=bookworm

# take_kernel NAME: use another one, by the Debian release that contains it
take_kernel()
{
	case $1 in
	bullseye | bookworm | trixie) kernel_suite=$1 ;;
	*) die "no kernel of the Debian release $1; bullseye (5.10), bookworm" \
	       '(6.1) and trixie (6.12) are known (--kernel NAME)' ;;
	esac
}

# Print the folder of the guest built by the current recipe.
guest_dir()
{
	local suite=$1 here key

	here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
	key=$({
		echo "$suite $kernel_suite"
		guest_packages "$suite"
		cat "$here/build-guest" "$here/debian.sh" "$here"/guest/*
	} | sha256sum | cut -c1-16)
	echo "$(cache_dir)/vm/$key"
}

# find_accelerator GUEST_DIR: print kvm or tcg. /dev/kvm can exist and still
# hang a guest, so a tiny boot decides; the result is kept until this machine
# reboots.
find_accelerator()
{
	local note verdict

	note=$(cache_dir)/vm/accelerator-$(id -u)-$(</proc/sys/kernel/random/boot_id)
	if [ ! -s "$note" ]; then
		[ ! -w /dev/kvm ] || say 'trying whether KVM works' >&2
		verdict=$(probe_kvm "$1")
		# An unwritable cache only costs another test.
		{ mkdir -p "${note%/*}" && echo "$verdict" >"$note"; } \
			2>/dev/null || true
	else
		verdict=$(<"$note")
	fi
	echo "$verdict"
}

probe_kvm()
{
	local output

	[ -w /dev/kvm ] || {
		echo tcg
		return
	}
	output=$(timeout --kill-after=2 15 qemu-system-x86_64 -accel kvm -cpu host \
		-m 512 -nodefaults -display none -no-reboot \
		-kernel "$1/vmlinuz" -initrd "$1/initramfs" \
		-append 'console=ttyS0 quiet panic=-1 stepwell.probe' \
		-serial stdio 2>/dev/null </dev/null) || true
	if [[ $output == *'stepwell-guest: probe ok'* ]]; then
		echo kvm
	else
		echo tcg
	fi
}

# stage_workloads FOLDER TARGET: copy the tests' compiled workloads, if there is
# a FOLDER at all, and the file system that stalls.
stage_workloads()
{
	local count

	mkdir -p "$2"
	[ -n "$1" ] || return 0
	# find fails if one of the folders is missing.
	count=$({ find "$1" "$1/../fuse" -maxdepth 1 -type f -perm -u+x \
		\( -name 'w_*' -o -name fuse_stall \) \
		-exec cp -t "$2" {} + -printf . 2>/dev/null || :; } | wc -c)
	[ "$count" -gt 0 ] ||
		die "no workload w_* in $1; no case was run" \
		    '(make check TESTS= builds them)'
}
