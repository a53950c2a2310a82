# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Common code of the scripts outside of the cluster.  Sourced, not run.

cluster_home=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=SCRIPTDIR/../vm/common.sh
. "$cluster_home/../vm/common.sh"

# Print the packages of the nodes, one a line.
cluster_packages()
{
	guest_packages "$1"
	# Needed only by stepwell-slurmdb: Slurm's programs have their own.
	case $1 in
	trixie) echo libslurm42t64 ;;
	forky) echo libslurm45t64 ;;
	*) echo libslurm38 ;;
	esac
	printf '%s\n' munge slurmctld slurmd slurmdbd slurm-client \
		slurm-wlm-basic-plugins mariadb-server nfs-kernel-server \
		nfs-common netbase stress-ng e2fsprogs
}

# Print the folder of the cluster built by the current recipe.
cluster_dir()
{
	local variant=$1 key

	key=$({
		echo "$variant"
		cluster_packages "$variant"
		cat "$cluster_home"/{build-cluster,channel.py} \
			"$cluster_home"/guest/* \
			"$cluster_home"/../vm/{debian.sh,guest/initramfs-init}
	} | sha256sum | cut -c1-16)
	echo "$(cache_dir)/cluster/$key"
}

# Print the folder of the running cluster of that name: sockets, disks and logs.
running_dir()
{
	[[ $1 =~ ^[A-Za-z0-9_-]{1,20}$ ]] ||
		die "'$1' is no name for a cluster: letters, digits, _ and -"
	echo "$(cache_dir)/cluster/run/$1"
}

is_cluster_running()
{
	[ -S "$1/n1.sock" ] && [ -S "$1/n2.sock" ]
}

# on_in FOLDER NODE COMMAND...
on_in()
{
	python3 "$cluster_home/channel.py" on "$@"
}

# stage_build BUILD_DIR TREE LOG: install the build into TREE, below its
# configured prefix (which is compiled into the programs).
stage_build()
{
	make -s -C "$1" install-strip DESTDIR="$2" >"$3" 2>&1 || {
		tail -n 15 "$3" >&2
		die "$1 cannot be installed; nothing was copied"
	}
}
