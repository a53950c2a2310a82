# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The three commands of stepwell-install(7) in every order, with a recorder that
# takes ten seconds to start: on both nodes the unit's recorder serves in the
# end, it has not failed, and the next job is recorded.
# timeout: 1800
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

plan 44
recorder=/usr/libexec/stepwell/stepwell-recorder
plugstack=/etc/slurm/plugstack.conf.d/stepwell.conf

on_nodes "install -m 644 /opt/units/* /etc/systemd/system && systemctl daemon-reload
	groupadd -r stepwell; useradd -r -g stepwell stepwell
	install -d -o root -g stepwell -m 3773 $profile_dir
	mkdir -p /var/spool/stepwell; ln -sfn $profile_dir /var/spool/stepwell/profiles
	mkdir -p /etc/systemd/system/stepwell-recorder.service.d
	printf '[Service]\nProtectHome=no\nReadWritePaths=-%s\n' $profile_dir \
		>/etc/systemd/system/stepwell-recorder.service.d/home.conf
	systemctl daemon-reload
	mv $recorder $recorder.quick
	printf '#!/bin/sh\nsleep 10\nexec %s \"\$@\"\n' $recorder.quick >$recorder
	chmod 755 $recorder" >/dev/null

socket()
{
	on_nodes systemctl -q enable --now stepwell-recorder.socket
}
line()
{
	on_nodes "echo 'optional stepwell.so wait_ms=5000 end_wait_ms=5000' \
		>$plugstack"
}
slurmd()
{
	on_nodes systemctl restart slurmd
}
is_job_done()
{
	wait_for 120 are_nodes_idle
}
reset()
{
	on_nodes "rm -f $plugstack
		systemctl -q disable --now stepwell-recorder.socket \
			stepwell-recorder.service 2>/dev/null
		systemctl reset-failed 'stepwell-recorder.*' 2>/dev/null
		systemctl restart slurmd
		touch /etc/stepwell/off 2>/dev/null || {
			mkdir -p /etc/stepwell; touch /etc/stepwell/off; }"
	wait_for 30 is_without_recorder
	on_nodes rm /etc/stepwell/off
	wait_for 30 are_nodes_idle
}
is_without_recorder()
{
	on_nodes "! pgrep -f '$recorder'"
}
serves()
{
	on_nodes "stepwell doctor | grep -q '^OK *recorder '"
}

# in_order COMMAND...
in_order()
{
	local word job

	for word; do
		"$word"
	done
	wait_for 60 are_nodes_idle
	job=$(as_user alice srun -N2 --mem=50 sh -c \
		'[ $SLURM_NODEID != 0 ] || echo $SLURM_JOB_ID; sleep 25')
	wait_for 60 has_profiles alice "$job" 2
	is "$(profiles_of alice "$job" | wc -l)" 2 \
		"$*: the next job is recorded on both nodes"
	check '  the doctor finds the recorder well' wait_for 20 serves
	is "$(on_nodes 'systemctl show -p ActiveState -p SubState -p NRestarts \
		stepwell-recorder.service' | sort -u | paste -sd' ')" \
		'ActiveState=active NRestarts=0 SubState=running' \
		'  the unit runs and has not failed'
	is "$(on_nodes 'systemctl is-active stepwell-recorder.socket' |
		sort -u)" active '  and so does its socket'
	is "$(on_nodes "systemctl show -p MainPID --value \
		stepwell-recorder.service >/tmp/main
		awk '\$2 == \"FLOCK\" { print \$5 }' /proc/locks |
		grep -cx -f /tmp/main" | sort -u)" 1 \
		'  it has the lock'
	is "$(on_nodes 'grep -c "stepwell.*not started" \
		/var/log/slurm/slurmd.log' | sort -u)" 0 \
		'  slurmd was told of no failure'
	reset
}

reset
in_order socket line slurmd
in_order socket slurmd line
in_order line socket slurmd
in_order line slurmd socket
in_order slurmd socket line
in_order slurmd line socket

# A recorder started by slurmd already serves: it gives way.
line
slurmd
wait_for 60 serves
check "slurmd's recorder serves" serves
socket
in_order slurmd
check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
