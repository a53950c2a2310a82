# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Build a machine for QEMU from Debian packages: common code of build-guest and
# build-cluster.  Sourced, not run; gives up by die if a package is unavailable.
# The sourcing script sets suite, packages and image_mib and defines
# set_up_root, which finds the unpacked system in $work/root.

vm=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=SCRIPTDIR/common.sh
. "$vm/common.sh"

: "${suite:=}" "${packages:=}" "${image_mib:=}"

check_tools()
{
	need_packages 'nothing was built' build
	! ldd "$(command -v busybox)" >/dev/null 2>&1 ||
		die 'busybox is not static; the initramfs needs busybox-static'
	[ "$(id -u)" -eq 0 ] ||
		die 'unpacking Debian needs root; nothing was built' \
		    "(sudo STEPWELL_CACHE=$(cache_dir) $0)"
}

# Print the URL of Debian's main archive used by apt on this machine.
find_mirror()
{
	local codename address=''

	codename=$(host_suite)
	# $(…) are names that apt replaces.
	# shellcheck disable=SC2016
	address=$(apt-get indextargets --format \
		'$(CREATED_BY)|$(ORIGIN)|$(COMPONENT)|$(RELEASE)|$(REPO_URI)' |
		awk -F'|' -v release="$codename" '$1 == "Packages" &&
			($2 == "Debian" || $2 == "") && $3 == "main" &&
			$4 == release { print $5; exit }')
	[ -n "$address" ] ||
		die "apt on this machine knows no Debian archive of $codename;" \
		    'nothing was built'
	echo "$address"
}

# Let debootstrap download through the proxy configured for apt.
use_proxy_of_apt()
{
	local proxy_http='' proxy_https=''

	eval "$(apt-config shell proxy_http Acquire::http::Proxy \
		proxy_https Acquire::https::Proxy)"
	[ -z "$proxy_http" ] || export http_proxy="${http_proxy:-$proxy_http}"
	[ -z "$proxy_https" ] ||
		export https_proxy="${https_proxy:-$proxy_https}"
}

# $packages has one name a line.
unpack_debian()
{
	local mirror=$1 scripts=/usr/share/debootstrap/scripts script

	# debootstrap may be older than the release.
	script=$suite
	[ -e "$scripts/$suite" ] || script=sid
	say "unpacking Debian $suite (about a minute)"
	run_logged debootstrap --variant=minbase --keyring="$keyring" \
		--include="$(paste -sd, <<<"$packages")" \
		"$suite" "$work/root" "$mirror" "$scripts/$script" ||
		die "debootstrap failed; nothing was built"
}

# Run apt with private state: the suite need not be one that this machine uses,
# and this machine's own lists are not touched.
private_apt()
{
	apt-get -q -o "Dir::State=$work/apt" -o "Dir::Cache=$work/apt/cache" \
		-o "Dir::State::status=$work/apt/status" \
		-o "Dir::Etc::SourceList=$work/apt/sources.list" \
		-o Dir::Etc::SourceParts=/dev/null \
		-o Dir::Etc::PreferencesParts=/dev/null \
		-o Dir::Etc::Preferences=/dev/null \
		-o APT::Architecture=amd64 -o APT::Sandbox::User=root "$@"
}

# use_archive MIRROR SUITE: make it the only source of private_apt
use_archive()
{
	mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
	: >"$work/apt/status"
	echo "deb [signed-by=$keyring] $1 $2 main" >"$work/apt/sources.list"
	run_logged private_apt update ||
		die "no package list of $2; nothing was built"
}

# unpack_package NAME FOLDER: extract its files; nothing is installed
unpack_package()
{
	mkdir -p "$work/download" "$2"
	(cd "$work/download" && run_logged private_apt download "$1") ||
		die "the package $1 cannot be had; nothing was built"
	dpkg -x "$work/download/$1"_*.deb "$2"
}

unpack_kernel()
{
	local mirror=$1 package

	say "unpacking the kernel of Debian $kernel_suite"
	use_archive "$mirror" "$kernel_suite"
	package=$(private_apt -s install --no-install-recommends \
		linux-image-cloud-amd64 2>/dev/null |
		awk '$1 == "Inst" && $2 ~ /^linux-image-[0-9]/ { print $2 }')
	[ -n "$package" ] ||
		die "no kernel package in $kernel_suite; nothing was built"
	unpack_package "$package" "$work/kernel"
	cp "$work"/kernel/boot/vmlinuz-* "$work/guest/vmlinuz"
	kernel_version=$(ls "$work/kernel/lib/modules")
	mkdir -p "$work/root/lib/modules"
	mv "$work/kernel/lib/modules/$kernel_version" "$work/root/lib/modules/"
	chroot "$work/root" depmod "$kernel_version"
}

# List the drivers in the order in which they must be loaded.
list_drivers()
{
	local name

	for name in virtio_pci virtio_blk virtio_rng ext4; do
		chroot "$work/root" modprobe -S "$kernel_version" -D "$name"
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

make_initramfs()
{
	local tree=$work/initramfs applet module

	say 'making the initramfs'
	mkdir -p "$tree"/{bin,dev,proc,sys,root,lib/modules}
	cp "$(command -v busybox)" "$tree/bin/busybox"
	for applet in sh mount cat insmod sleep switch_root poweroff; do
		ln -s busybox "$tree/bin/$applet"
	done
	while read -r module; do
		cp "$work/root$module" "$tree/lib/modules/"
		echo "${module##*/}" >>"$tree/modules"
	done < <(list_drivers)
	install -m 755 "$vm/guest/initramfs-init" "$tree/init"
	(cd "$tree" && find . -print0 |
		cpio --quiet --null --create --format=newc --owner=0:0) |
		gzip -1 >"$work/guest/initramfs"
}

# Units that only cost boot time in a machine that lives for one payload.
unneeded_units='apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer
e2scrub_all.timer e2scrub_reap.service fstrim.timer getty.target
getty-static.service systemd-tmpfiles-clean.timer systemd-pstore.service
systemd-update-utmp.service systemd-update-utmp-runlevel.service
systemd-random-seed.service systemd-firstboot.service
systemd-machine-id-commit.service systemd-binfmt.service
proc-sys-fs-binfmt_misc.automount systemd-journal-flush.service
systemd-repart.service systemd-ask-password-wall.path
systemd-ask-password-console.path cryptsetup.target integritysetup.target
veritysetup.target remote-fs.target systemd-logind.service
systemd-user-sessions.service systemd-pcrphase.service
systemd-pcrphase-sysinit.service systemd-network-generator.service
systemd-networkd.service systemd-networkd.socket
systemd-networkd-wait-online.service'

# A failed command's output is the only clue, so it is kept until then.
run_logged()
{
	"$@" >"$work/log" 2>&1 || {
		tail -n 15 "$work/log" >&2
		return 1
	}
}

# Clean up the system as all our machines need it.
trim_root()
{
	local root=$work/root unit

	ln -sf /lib/systemd/system/multi-user.target \
		"$root/etc/systemd/system/default.target"
	for unit in $unneeded_units; do
		ln -sf /dev/null "$root/etc/systemd/system/$unit"
	done
	echo uninitialized >"$root/etc/machine-id"
	: >"$root/etc/fstab"
	# Core dumps and a persistent journal would cause I/O besides that of
	# the tests.
	install -d "$root/etc/systemd/journald.conf.d"
	printf '[Journal]\nStorage=volatile\nForwardToConsole=no\n' \
		>"$root/etc/systemd/journald.conf.d/stepwell.conf"
	rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* \
		"$root"/usr/share/{doc,man,info,locale,lintian,zoneinfo} \
		"$root"/var/log/*.log "$root"/etc/resolv.conf
	chroot "$root" dpkg-query -W >"$work/guest/packages"
	echo "$kernel_version" >"$work/guest/kernel-version"
}

make_image()
{
	say 'making the disk image'
	run_logged mke2fs -t ext4 -q -O ^has_journal -L guest \
		-E lazy_itable_init=1,root_owner=0:0 -d "$work/root" \
		"$work/guest/root.img" "${image_mib}M" ||
		die 'no disk image could be made; nothing was built'
}

# build TARGET yes|no: build the machine; if it exists, only if forced to.
build()
{
	local target=$1 force=$2 mirror

	if [ "$force" = no ] && is_guest_complete "$target"; then
		say "${target##*/} is in ${target%/*}"
		return
	fi
	[ "$(uname -m)" = x86_64 ] || die "only for x86_64, not $(uname -m)"
	check_tools
	mirror=$(find_mirror)
	use_proxy_of_apt
	mkdir -p "${target%/*}"
	exec 9>"${target%/*}/lock"
	flock -n 9 || {
		say 'another build is at work; waiting for it'
		flock 9
	}
	if [ "$force" = no ] && is_guest_complete "$target"; then
		say "${target##*/} is in ${target%/*}"
		return
	fi
	work=$(mktemp -d "${target%/*}/build.XXXXXX")
	trap 'rm -rf --one-file-system "$work"' EXIT
	mkdir "$work/guest"
	unpack_debian "$mirror"
	unpack_kernel "$mirror"
	make_initramfs
	set_up_root
	trim_root
	make_image
	chmod -R a+rX "$work/guest"
	[ -z "${SUDO_UID:-}" ] ||
		chown -R "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" "$work/guest"
	rm -rf "$target"
	mv "$work/guest" "$target"
	say "${target##*/} is in ${target%/*}"
}
