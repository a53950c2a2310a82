# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The nightly sweep as run by its unit, as the user stepwell: summaries of both
# nodes by a job on each, over NFS, and a history readable only by its user.
# timeout: 1200
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"
plan 24

cd /root || exit
shared=/home/summaries
histories=/home/histories
nights=/home/nights
# The same uid on both nodes, as NFS requires.
on_nodes "groupadd -g 990 stepwell
	useradd -u 990 -g 990 -d /nonexistent -s /usr/sbin/nologin stepwell
	install -d -o stepwell -g stepwell -m 750 /var/spool/stepwell/summaries
	mkdir -p /etc/stepwell
	printf 'summary_dirs: $shared\nuser_history_dir: $histories\nsweep_dir: $nights\n' \
		>/etc/stepwell/stepwell.yaml"
install -d -o stepwell -g stepwell -m 750 $shared $nights
install -d -o stepwell -g stepwell -m 755 $histories
sacctmgr -i add user stepwell account=users adminlevel=operator >/dev/null
check 'the plugin and the recorders are there' set_up_recording

for node in n1 n2; do
	for number in 1 2 3; do
		sbatch_wait alice -w $node -J "work_$number" --mem=100 \
			-o /dev/null --wrap 'srun sleep 1' >/dev/null
	done
done
# Rows stay in a block for a minute at most.
has_rows()
{
	on_nodes "stepwell dump /var/spool/stepwell/summaries/*.part |
		grep -q work_3" &&
		on_nodes "find /var/spool/stepwell/summaries -name '*.part' \
			-size +1k | grep -q ."
}
check 'both nodes have summaries' wait_for 180 has_rows

unit=/etc/systemd/system/stepwell-sweep.service.d
mkdir -p $unit
# options TEXT
options()
{
	cat >$unit/test.conf <<-END
	[Service]
	Environment="STEPWELL_SWEEP_OPTIONS=$*"
	ReadWritePaths=$shared $histories $nights
	# All folders are below /home here.
	ProtectHome=no
	AmbientCapabilities=CAP_CHOWN
	CapabilityBoundingSet=CAP_CHOWN
	END
	systemctl daemon-reload
}
options --collect --from=today --html=/var/lib/stepwell/sweep.html
check 'the unit ends well' systemctl start stepwell-sweep.service
journalctl -u stepwell-sweep --no-pager >"$CASE_OUT/journal"
is "$(find $shared -name '*.stepwell*' -printf '%f\n' | cut -d. -f2 | sort |
	paste -sd' ')" 'n1 n2' 'the summaries of both nodes are there'
is "$(find $shared -name '*.stepwell*' -printf '%u %m\n' | sort -u)" \
	'stepwell 640' '  of the user stepwell'
for node in n1 n2; do
	is "$(stepwell dump $shared/*.$node.* | grep -o 'work_[0-9]' |
		sort -u | paste -sd' ')" 'work_1 work_2 work_3' \
		"  those of $node have its three jobs"
done
is "$(sacct -aXn -u stepwell -S today -o nodelist,state | awk '{ print $1, $2 }' |
	sort -u | paste -sd' ')" 'n1 COMPLETED n2 COMPLETED' \
	'a job on each node did that'
check 'there is a page' grep -q 'jobs ended of' /var/lib/stepwell/sweep.html
is "$(stat -c '%U %a' /var/lib/stepwell)" 'stepwell 750' \
	'in a folder that others cannot enter'

# The histories: only alice can read hers, also on the other node.
history=$histories/$(id -u alice).sqlite
is "$(stat -c '%U %a' "$history")" 'alice 400' "alice's history is hers alone"
check '  she can read it' as_user alice test -r "$history"
check '  bob cannot' as_user bob test ! -r "$history"
is "$(on_node -u alice n2 "head -c 15 $history")" 'SQLite format 3' \
	'  on the other node she can'
matches "$(on_node -u bob n2 "head -c 15 $history 2>&1")" 'Permission denied' \
	'  and bob cannot'
matches "$(on_node -u alice n2 'stepwell suggest work 2>&1')" 'from 6 runs' \
	'she gets advice from all of her runs'
matches "$(on_node -u bob n2 'stepwell suggest work 2>&1')" \
	'has no run of "work"' 'bob gets none from hers'

# A node that is down is named, and does not delay the page.
scontrol update nodename=n2 state=down reason=test
before=$SECONDS
check 'with a node that is down the unit ends well' \
	systemctl start stepwell-sweep.service
diag "it took $((SECONDS - before)) s"
matches "$(journalctl -u stepwell-sweep --no-pager)" \
	'node n2: no job submitted: its state is down' '  which is said'
scontrol update nodename=n2 state=resume
wait_for 60 are_nodes_idle

# All as jobs: their errors are in files of the nodes.  Jobs of the user
# stepwell cannot change owners, and do not try to.
options --collect --from=today --submit=2
check 'with --submit the unit ends well' systemctl start stepwell-sweep.service
has_ended()
{
	[ -z "$(squeue -h)" ]
}
check '  and all jobs end' wait_for 300 has_ended
is "$(sacct -aXn -u stepwell -S today -o state | sort -u | xargs)" COMPLETED \
	'  well'
check '  there is a page' grep -q 'jobs ended of' \
	"$nights/$(date +%F).page"
is "$(cat $shared/*.collect.log | sort -u)" copied \
	'  what the nodes had to say is that they copied'

finish
