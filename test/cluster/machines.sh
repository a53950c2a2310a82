# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Start, save, restore and stop the two machines of the cluster.  Sourced by
# run-cluster, which sets guest (their image), accelerator, folder (their
# files), lifetime and memory_mib; gives up by die.

: "${cluster_home:?is set by common.sh}" "${guest:=}" "${accelerator:=}" \
	"${folder:=}" "${lifetime:=}" "${memory_mib:=}"

check_tools()
{
	need_packages 'no cluster was started' cluster
	is_guest_complete "$guest" ||
		die "no cluster in $guest; run $cluster_home/build-cluster first"
}

kernel_arguments='console=ttyS0 quiet panic=-1 net.ifnames=0'
kernel_arguments+=' systemd.show_status=0 mitigations=off'

# machine_arguments NODE: set the array arguments.  A saved machine can only be
# restored with the same ones, so their digest names the saved state.
machine_arguments()
{
	local node=$1 cpu=max

	[ "$accelerator" = tcg ] || cpu=host
	# shellcheck disable=SC2054
	arguments=(
		-accel "$accelerator" -cpu "$cpu" -smp 2 -m "$memory_mib"
		-nodefaults -display none -no-reboot -no-user-config
		-kernel "$guest/vmlinuz" -initrd "$guest/initramfs"
		-append "$kernel_arguments node=${node#n}"
		-device virtio-rng-pci
		-device virtio-blk-pci,drive=root
		-device virtio-serial-pci
		-device virtserialport,chardev=port,name=stepwell
		-device "virtio-net-pci,netdev=net,romfile=,mac=52:54:00:00:00:0${node#n}"
	)
	[ "$accelerator" != tcg ] || arguments[1]=tcg,thread=multi
}

# start_machine NODE server=on|off [ARGUMENT]...
start_machine()
{
	local node=$1 side=$2
	shift 2

	machine_arguments "$node"
	# A daemon must not inherit descriptors of the caller, such as a lock.
	setsid timeout --kill-after=5 "$lifetime" \
		qemu-system-x86_64 "${arguments[@]}" "$@" \
		-serial file:"$folder/$node.console" \
		-monitor unix:"$folder/$node.monitor",server=on,wait=off \
		-drive "file=$folder/$node.qcow2,if=none,id=root,format=qcow2,cache=unsafe" \
		-chardev "socket,id=port,path=$folder/$node.port,server=on,wait=off" \
		-netdev "stream,id=net,$side,addr.type=unix,addr.path=$folder/net" \
		</dev/null >"$folder/$node.log" 2>&1 9>&- &
	echo $! >"$folder/$node.pid"
}

# wait_for_file FILE NODE: wait for a file of QEMU, which creates its sockets at
# once.
wait_for_file()
{
	local tries

	for ((tries = 0; tries < 300; tries++)); do
		[ ! -e "$1" ] || return 0
		kill -0 "$(<"$folder/$2.pid")" 2>/dev/null || break
		sleep 0.1
	done
	show_logs
	die "$2 does not start"
}

# It was saved while stopped, and "cont" is lost while it is being loaded.
resume_machine()
{
	local tries

	for ((tries = 0; tries < 600; tries++)); do
		case $(monitor "$1" 'info status' | tr -d '\r') in
		'VM status: running'*) return 0 ;;
		'VM status: paused') monitor "$1" cont ;;
		esac
		sleep 0.1
	done
	show_logs
	die "$1 cannot be restored"
}

# start_machines [SAVED_DIR]: boot, or restore the state in SAVED_DIR.
start_machines()
{
	local saved=${1:-} node side backing state=()

	for node in n1 n2; do
		backing=$guest/root.img
		[ -z "$saved" ] || backing=$saved/$node.qcow2
		qemu-img create -q -f qcow2 -b "$backing" \
			-F "$([ -z "$saved" ] && echo raw || echo qcow2)" \
			"$folder/$node.qcow2"
	done
	for node in n1 n2; do
		side=server=on
		[ $node = n1 ] || side=server=off
		[ -z "$saved" ] || state=(-incoming "exec:cat '$saved/$node.state'")
		start_machine $node $side "${state[@]}"
		wait_for_file "$folder/$node.port" $node
		wait_for_file "$folder/net" n1
	done
	[ -z "$saved" ] || for node in n1 n2; do
		resume_machine $node
	done
	setsid python3 "$cluster_home/channel.py" hub "$folder" n1 n2 \
		</dev/null >"$folder/hub.log" 2>&1 9>&- &
	echo $! >"$folder/hub.pid"
	wait_for_file "$folder/n1.sock" n1
	wait_for_file "$folder/n2.sock" n2
}

# Conditions that must hold before the cluster is used.
wait_until_idle()
{
	local limit=$1

	# The script runs on n1:
	# shellcheck disable=SC2016
	timeout "$limit" python3 "$cluster_home/channel.py" on "$folder" -n n1 '
		is_registered() {
			local port
			port=$(sacctmgr -nP list cluster format=controlport)
			[ "${port:-0}" -gt 0 ]
		}
		until [ "$(sinfo -h -t idle -o %n | wc -l)" = 2 ] &&
			is_registered
		do
			! systemctl --quiet is-failed slurmctld slurmd || exit 1
			sleep 0.5
		done 2>/dev/null' || {
		show_logs
		die "the nodes are not idle after $limit s"
	}
}

show_logs()
{
	local node

	for node in n1 n2; do
		tail -n 15 "$folder/$node".{log,console} 2>/dev/null |
			tr -d '\r' | sed "s/^/  $node | /"
	done
	python3 "$cluster_home/channel.py" on "$folder" -n n1 \
		'sinfo; tail -n 5 /var/log/slurm/*.log' 2>&1 | sed 's/^/  n1 | /' &
	sleep 5
	kill $! 2>/dev/null || true
} >&2

monitor()
{
	python3 "$cluster_home/channel.py" monitor "$folder/$1.monitor" "${@:2}"
}

# signal_controller STOP|CONT
signal_controller()
{
	on_in "$folder" -n n1 systemctl kill --signal="$1" slurmctld
}

# save_machines DIR: save the current state; wake_machines resumes them.
save_machines()
{
	local target=$1 node work

	# It would contact n2 before both clocks are set.
	signal_controller STOP
	mkdir -p "${target%/*}"
	work=$(mktemp -d "${target%/*}/save.XXXXXX")
	for node in n1 n2; do
		monitor $node stop
	done
	for node in n1 n2; do
		monitor $node 'migrate_set_parameter max-bandwidth 10G' \
			"migrate \"exec:cat >'$work/$node.state'\"" 'info migrate' \
			>"$folder/save.log" 2>&1
		if ! grep -q 'status: completed' "$folder/save.log"; then
			cat "$folder/save.log" >&2
			rm -rf "$work"
			die "$node could not be saved"
		fi
		cp "$folder/$node.qcow2" "$work/"
	done
	for node in n1 n2; do
		monitor $node cont
	done
	# Another run may have saved the same state meanwhile.
	mv -T "$work" "$target" 2>/dev/null || rm -rf "$work"
}

# The clocks stopped while the machines were saved; and munge rejects a node
# with a different clock.
wake_machines()
{
	local node

	for node in n1 n2; do
		timeout 60 python3 "$cluster_home/channel.py" on "$folder" -n \
			"$node" date -s "@$(date +%s.%N)" >/dev/null || {
			show_logs
			die "$node does not answer"
		}
	done
	signal_controller CONT
}

# stop_machines: kill the folder's processes, and remove it.
stop_machines()
{
	local node pid

	for node in n1 n2 hub; do
		[ -s "$folder/$node.pid" ] || continue
		pid=$(<"$folder/$node.pid")
		# The pid may have been reused.
		grep -qs "$folder" "/proc/$pid/cmdline" || continue
		kill "$pid" 2>/dev/null || true
	done
	rm -rf "$folder"
}
