# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The first line of reports on programs on n2 whose NFS server is slow, then
# silent; and on a job on two nodes, one of which has four times the work.
# timeout: 1500
# Most scripts in here are for a shell of another node:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"
plan 11

# Long compared with loading BPF on an emulated processor.
seconds=120

as_user alice sh -c 'mkdir far && head -c 33554432 /dev/urandom >far/data &&
	chmod 755 . far && chmod 666 far/data' || exit 1
sync
# The delay from n1 to n2 and the packet loss are set by /root/link.
check 'n2 mounts what is far away' on_node n2 '
	mkdir -p /mnt/far &&
	mount -t nfs4 -o actimeo=0,nosharecache n1:/home /mnt/far &&
	modprobe sch_netem &&
	dev=$(ip -o route get "$(getent hosts n1 | cut -d" " -f1)" |
		sed "s/.* dev \([^ ]*\).*/\1/") &&
	echo "tc qdisc replace dev $dev root netem \"\$@\"" >/root/link &&
	sh /root/link delay 100ms'

# record NAME [COMMAND]: record reads over NFS on n2, with the command in
# parallel
record()
{
	on_node n2 "cd /root; export PATH=/opt/workloads:\$PATH
		echo 1 >/proc/sys/vm/drop_caches
		(${2-:}) >/dev/null 2>&1 &
		stepwell run --output /root/$1.stepwell --period 500ms -- \
			w_wait sequential /mnt/far/alice/far/data $seconds \
			>/dev/null 2>&1
		wait"
}

# first_line NAME, findings NAME: print those of its report
first_line()
{
	on_node n2 "stepwell report --brief /root/$1.stepwell" | head -n 1
}

findings()
{
	on_node n2 "stepwell report --json /root/$1.stepwell" |
		python3 -c 'import json, sys
print(*sorted({f["id"] for f in json.load(sys.stdin)["findings"]}))'
}

record slow
matches "$(first_line slow)" 'Limited by I/O on /mnt/far' \
	'a slow server: the first line names the mount'
matches "$(findings slow)" 'io\.stalled|io\.saturated' '  and a finding does'
is "$(findings slow | tr ' ' '\n' | grep -cE '^(cpu|net|memory)\.')" 0 \
	'  none blames CPUs, memory or the network'

# The connection of the command survives it.
record dead "sleep $((seconds / 2)); sh /root/link loss 100%
	sleep $((seconds / 4)); sh /root/link delay 100ms"
matches "$(first_line dead)" 'Limited by I/O on /mnt/far' \
	'a server that falls silent: likewise'
matches "$(findings dead)" 'io\.stalled|progress\.frozen' '  and a finding does'
check 'n1 is near again' on_node n2 'sh /root/link delay 0ms'

check 'the plugin and the recorders are there' set_up_recording
# Rounds like those of MPI over TCP: whoever is done waits in recv for the
# other.
cat >/home/alice/rounds.py <<'PYTHON'
import os, socket, sys, time

rank = int(os.environ["SLURM_PROCID"])
share = [4.0, 1.0][rank]
if rank == 0:
    peer = socket.create_server(("", 7777)).accept()[0]
else:
    while True:
        try:
            peer = socket.create_connection(("n1", 7777))
            break
        except OSError:
            time.sleep(0.2)
for _ in range(10):
    end = time.process_time() + share
    while time.process_time() < end:
        pass
    peer.sendall(b"x")
    peer.recv(1)
PYTHON
write_script /home/alice/rounds.sh <<'JOB'
#!/bin/bash
#SBATCH -N 2 --ntasks-per-node=1 --mem=100 --time=10
srun python3 rounds.py
JOB
cd /home/alice || exit
job=$(sbatch_seconds=400 sbatch_wait alice rounds.sh)
read_job alice "$job" 2
is "$(job_field "$job" JobState)" COMPLETED 'ten rounds on two nodes'
check '  their CPU times are 4 to 1' test "$(of_job "$job" \
	'2.5 < task("0", 0)["cpu"]["used_core_seconds"] /
	task("0", 1)["cpu"]["used_core_seconds"] < 5')" = True
# There is no rule for imbalance over nodes: exclude other findings only.
is "$(of_job "$job" 'sum(f["id"] in ("net.bound", "io.stalled", "cpu.starved",
	"lock.contended") for f in r["findings"])')" 0 \
	'  which nobody else is blamed for'
finish
