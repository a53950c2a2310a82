# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The sweep over 300 jobs of five users in two nights, with slurmdbd and
# MariaDB: each planted problem is found, ranked by cost, and nothing else is
# reported; changes by users to their own profiles have no effect.
# timeout: 5400
# Some scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"
plan 48

cd /root || exit
# Without the user no summaries are kept; the same uid on both nodes, as NFS
# requires.
on_nodes 'groupadd -g 990 stepwell &&
	useradd -u 990 -g 990 -d /home/sweep -s /usr/sbin/nologin stepwell &&
	install -d -o stepwell -g stepwell -m 750 \
	/var/spool/stepwell/summaries' || diag 'no folder of summaries'
check 'the plugin and the recorders are there' set_up_recording

# Three more users, with their own accounts.
number=2001
for user in carol dave erin; do
	on_nodes "groupadd -g $number $user &&
		useradd -M -u $number -g $number -s /bin/bash $user" ||
		diag "no user $user"
	install -d -o $user -g $user -m 755 /home/$user
	sacctmgr -i add user $user account=users >/dev/null || diag "$user"
	number=$((number + 1))
done

# Make reading on n1 slow for all jobs, as with a worn-out disk.  The first job
# creates the scope of all jobs.
as_user alice srun -w n1 -n1 --mem=50 --stepwell=off true
disk=$(lsblk -no MAJ:MIN "$(findmnt -no SOURCE --target /home)" | tr -d ' ')
scope=$(systemctl list-units --plain --no-legend '*slurmstepd.scope' |
	awk '{ print $1 }')
check 'reading on n1 is limited' systemctl set-property --runtime \
	"$scope" "IOReadBandwidthMax=/dev/block/$disk 1M"

# The script's argument 1 is the job's name, in two of ten with its number.
write_script /home/kinds.sh <<'JOB'
#!/bin/bash
PATH=/opt/workloads:$PATH
case $1 in
over) w_hold 20 1 8 ;;
serial) w_cpu 1 10 ;;
align) dd if=/home/cold of=/dev/null bs=64k count=192 iflag=direct ;;
slow) sleep "$2" ;;
grow) w_hold "$2" 1 8 ;;
assemble) w_hold 110 1 8 ;;
futile) sleep 4; exit 2 ;;
flaky) sleep 4; srun w_fails "$2" ;;
sim) sleep 8; [ "$SLURMD_NODENAME" = "$2" ] && kill -BUS $$; true ;;
mistake) sleep 600 ;;
endless) sleep 600 ;;
plain) w_cpu 1 8 ;;
esac
JOB
# A program that fails on request.
write_script /opt/workloads/w_fails <<'JOB'
#!/bin/sh
exit "$1"
JOB
on_node n2 'install -d /opt/workloads; printf "#!/bin/sh\nexit \$1\n" >/opt/workloads/w_fails; chmod 755 /opt/workloads/w_fails'
dd if=/dev/urandom of=/home/cold bs=1M count=12 2>/dev/null

# submit USER NAME CPUS MIB [OPTION OF sbatch]... -- KIND [ARGUMENT]: print the
# job id
submit()
{
	local user=$1 name=$2 cpus=$3 mib=$4
	local options=()
	shift 4

	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	as_user "$user" sbatch --parsable -J "$name" -c "$cpus" \
		--mem="$mib" -o /dev/null --time=10 "${options[@]}" \
		/home/kinds.sh "$@"
}

are_all_over()
{
	[ -z "$(squeue -h -o %i)" ]
}

# both N: submit the jobs that are in either night
both()
{
	local i

	for ((i = 0; i < 26; i++)); do
		submit alice "over_$i" 1 400 -- over
	done
	for ((i = 0; i < 8; i++)); do
		submit bob "serial_$i" 2 60 -- serial
		submit erin "align_$i" 1 60 -w n1 -- align
	done
	for ((i = 0; i < 12; i++)); do
		submit dave "slow_$i" 1 50 -- slow $((1 == $1 ? 20 : 29))
		submit erin "grow_$i" 1 250 -- grow $((1 == $1 ? 80 : 150))
	done
	for ((i = 0; i < 20; i++)); do
		submit bob "flaky_$i" 1 60 -- flaky $((i % 10 == 3 ? 3 : 0))
	done
	for ((i = 0; i < 28; i++)); do
		submit alice "sim_$i" 1 50 -w n$((i % 2 + 1)) -- \
			sim n2
	done
	for ((i = 0; i < 26; i++)); do
		submit carol "plain_$i" 1 30 -- plain
	done
}

# The first night.
mkdir "$CASE_OUT/jobs"
both 1 >"$CASE_OUT/jobs/1"
wait_for 1800 are_all_over
sleep 2
midnight=$(date +%s)
# For stepwell and sacct this moment is a midnight.
TZ="NIT$(date -u -d @"$midnight" +%H:%M:%S)"
export TZ
sleep 1

# The second night, with jobs only in it.
{
	for ((i = 0; i < 6; i++)); do
		submit carol "mistake_$i" 1 50 -- mistake
	done
	for ((i = 0; i < 3; i++)); do
		submit dave endless 1 50 --time=1 -- endless
	done
	both 2
	for ((i = 0; i < 6; i++)); do
		submit carol "unseen_$i" 1 60 --stepwell=off -- slow 8
	done
} >"$CASE_OUT/jobs/2"
has_started()
{
	[ -n "$(squeue -h -t running -o %i -n "$1")" ]
}
wait_for 120 has_started mistake_0
for ((i = 0; i < 6; i++)); do
	as_user carol scancel -n "mistake_$i"
done
# Jobs that are resubmitted after a failure.
for mib in 50 80 200; do
	job=$(submit bob assemble 1 $mib --nice=-0 -- assemble)
	echo "$job" >>"$CASE_OUT/jobs/2"
	wait_for 1200 is_job_over "$job"
done
for i in 1 2 3 4; do
	job=$(submit carol futile 1 50 -- futile)
	echo "$job" >>"$CASE_OUT/jobs/2"
	wait_for 1200 is_job_over "$job"
done
wait_for 1800 are_all_over
check 'all jobs are over' are_all_over
check 'and all records are with slurmdbd' wait_for 60 eval \
	'[ "$(sacctmgr -n show stats 2>/dev/null | wc -l)" -ge 0 ] &&
	 [ -z "$(sacct -aXn -S now-1day -s R,PD -o jobid)" ]'
planted=$(cat "$CASE_OUT"/jobs/* | wc -l)
is "$((planted >= 300))" 1 "at least 300 jobs: $planted"

# Copy each node's summaries to one folder.
mkdir -m 750 /root/summaries
brought()
{
	local node file

	for node in n1 n2; do
		# The file of today is growing, with its newest rows in a tail.
		for file in $(on_node $node \
			'ls /var/spool/stepwell/summaries/*.stepwell*'); do
			on_node $node "base64 -w0 $file" | base64 -d \
				>"/root/summaries/${file##*/}" || return
		done
	done
}
check 'the summaries of both nodes' eval 'brought &&
	ls /root/summaries/*.n1.stepwell* /root/summaries/*.n2.stepwell*'
cp -r /root/summaries "$CASE_OUT"
cat >/root/sweep.yaml <<'YAML'
summaries_dir: /root/summaries
sweep_dir: /root/nights
# A night of this cluster takes minutes.
failures: {about_same_time_seconds: 10}
YAML
mkdir -m 700 /root/nights
export STEPWELL_CONF=/root/sweep.yaml
sacct -aXPD -S now-2days -o jobid,jobname,user,state,exitcode,start,end,elapsed,nodelist \
	>"$CASE_OUT/sacct"

# sweep NAME OPTION...
sweep()
{
	local name=$1
	shift

	stepwell sweep --quiet --rows 0 "$@" >"$CASE_OUT/$name" \
		2>"$CASE_OUT/$name.err"
}
before=$(date -d yesterday +%F)
until=$(date -d '1 second' +%FT%T)
sleep 2
check 'the sweep of the first night' sweep first --from "$before"
check 'the sweep of the second' sweep page --from today --until "$until"
page=$(tr -s '\n ' '  ' <"$CASE_OUT/page")
first=$(tr -s '\n ' '  ' <"$CASE_OUT/first")
sweep json --from today --until "$until" --json

# of EXPRESSION: evaluate it on the page's JSON, d, with the groups by name in g
of()
{
	python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
g = {x["label"]: x for x in d["groups"]}
print(eval("(" + sys.argv[2] + "\n)"))' "$CASE_OUT/json" "$1" 2>&1 | tail -n 1
}

# says WHAT PATTERN
says()
{
	matches "$page" "$2" "$1"
}

second=$(wc -l <"$CASE_OUT/jobs/2")
says 'all jobs of the second night, of five users' \
	"$second jobs ended of 5 users"
# The job that created the scope counts, too.
matches "$first" "$((planted - second + 1)) jobs ended of 5 users" \
	'all of the first'
is "$(of 'd["total"]["jobs"] - d["total"]["recorded"]')" 6 \
	'all are recorded but those that said no'
says 'over-asking: the need' 'over_# of alice, 26 jobs: [^#]*Its jobs needed [0-9]+ % of the memory'
says '  and its line' 'over_# of alice.*#SBATCH --mem=[0-9]+M'
is "$(of '20 << 20 <= g["over_#"]["need_bytes"]["p95"] < 60 << 20')" \
	True '  whose need is that of the program'
says 'idle CPUs' 'serial_# of bob, 8 jobs'
is "$(of '0.3 < g["serial_#"]["cpu"]["efficiency"] < 0.65')" True '  half are used'
says 'bound by I/O' 'align_# of erin, 8 jobs: .*Its steps stood still for [0-9]+ % of their time, waiting for I/O'
is "$(of 'g["align_#"].get("finding")')" io.stalled '  by its finding'
says 'slower' 'slow_# of dave, 12 jobs: since [-0-9]* .*the run took [23][0-9](\.[0-9])? s instead of [12][0-9](\.[0-9])? s'
says 'more memory' 'grow_# of erin needed 1[5-7][0-9](\.[0-9])? MiB \(median of 12 jobs\), after [89][0-9](\.[0-9])? MiB'
says 'one in ten fails' '2 of 20 jobs of flaky_# of bob: w_fails ended with exit code 3'
says 'one node' '14 of 28 jobs of sim_# of alice were killed by SIGBUS, on node n2 only'
says 'cancelled by users' '6 ended by cancellation'
says 'time limits' '3 of 3 jobs of endless of dave hit the time limit'
says 'an OOM retry' 'assemble of bob ran out of memory with 50\.0 MiB, 80\.0 MiB, and completed with 200 MiB'
says 'a futile one' 'futile of carol ended with exit code 2, and 3 more times with the same request'
says 'jobs without a recording' '6 of [0-9]+ jobs have no summary'

# Nothing else is reported.
section()
{
	sed -n "/^$1/,/^\$/p" "$CASE_OUT/page" | grep -c '^  - '
}
# On a busy machine others are slower, too; the page must agree with sacct.
is "$(python3 -c '
import json, statistics, sys
took = {}
for line in open(sys.argv[2]):
    part = line.rstrip("\n").split("|")
    if len(part) < 9 or part[0] == "JobID":
        continue
    night = part[6] >= sys.argv[3]
    name = "".join("#" if c.isdigit() else c for c in part[1])
    while "##" in name:
        name = name.replace("##", "#")
    hours, minutes, seconds = part[7].split(":")
    if part[3] == "COMPLETED":
        took.setdefault((name, night), []).append(
            int(hours) * 3600 + int(minutes) * 60 + int(seconds))
for change in json.load(open(sys.argv[1]))["worse"]:
    if change["what"] == "elapsed_seconds":
        name = change["groups"][0]["label"]
        if statistics.median(took[name, True]) < 1.1 * statistics.median(
                took[name, False]):
            print(name)
' "$CASE_OUT/json" "$CASE_OUT/sacct" "$(date -d @"$midnight" +%FT%T)" 2>&1)" '' \
	'none is called slower that is not'
is "$(of 'len(d["retries"])') $(section Retries)" '2 0' \
	'no more retries, which are in the rows of their groups'
is "$(of 'len(d["failures"])') $(section Failures)" '5 0' 'no more failures'
is "$(of '[f["node"]["name"] for f in d["failures"] if "node" in f]')" "['n2']" \
	'no other node is named'
is "$(of 'sorted(k for k, x in g.items() if x.get("finding") == "memory.over_allocated" and k in ("plain_#", "serial_#"))')" \
	'[]' 'none that asks for what it needs is said to ask for more'
is "$(of '[x["label"] for x in d["groups"]][0]')" 'over_#' 'the costliest is the first'
is "$(of '(lambda c: c == sorted(c, reverse=True))([
	round(x["waste"]["core_hours"] / d["total"]["cpu"]["allocated_core_hours"] +
	      x["waste"]["gib_hours"] / d["total"]["memory"]["allocated_gib_hours"], 4)
	for x in d["groups"]])')" True 'the costly come first'
is "$(of 'round(sum(x["cpu"]["allocated_core_hours"] for x in d["groups"]) - d["total"]["cpu"]["allocated_core_hours"], 3) == 0')" \
	True 'the sums of groups are the total'

# Compare with sacct's data on the same jobs, computed differently.
is "$(of 'round(d["total"]["cpu"]["allocated_core_hours"], 2)')" \
	"$(sacct -aXPnD -S today -E "$until" -o cputimeraw,end,state |
		awk -F '|' '$2 != "Unknown" { s += $1 }
			END { printf "%.2f", s / 3600 }' | sed 's/0$//')" \
	'as many core-hours as sacct has'

# The same night twice, and changes by users to their own profiles.
check 'again' sweep again --from today --until "$until"
check '  the same page' cmp "$CASE_OUT/page" "$CASE_OUT/again"
find "$profile_dir/$(id -u bob)" -name '*.stepwell' -delete
newest=$(find "$profile_dir/$(id -u alice)" -name '*.stepwell' | sort | tail -n 1)
find "$profile_dir/$(id -u alice)" -name '*.stepwell' ! -path "$newest" |
	sort | head -n 30 | while read -r file; do
	cp "$newest" "$file"
done
check 'profiles deleted, and forged: the sweep' sweep forged --from today --until "$until"
check '  the same page' cmp "$CASE_OUT/page" "$CASE_OUT/forged"
forged=$(find "$profile_dir/$(id -u alice)" -name '*.stepwell' | sort | head -n 1)
stepwell report "$forged" >"$CASE_OUT/forged.report" 2>&1
matches "$(cat "$CASE_OUT/forged.report")" \
	'recording of job|differs|not of|changed|altered|trust|says' \
	'  and the report of such a job does not trust it'

# Shards, merged.
mkdir "$CASE_OUT/parts"
for ((i = 1; i <= 8; i++)); do
	stepwell sweep --quiet --from today --until "$until" --shard $i/8 \
		--output "$CASE_OUT/parts/$i" || diag "part $i"
done
stepwell merge "$CASE_OUT/parts"/? --rows 0 >"$CASE_OUT/merged" 2>"$CASE_OUT/merged.err"
check 'eight parts give the same page' cmp "$CASE_OUT/page" \
	"$CASE_OUT/merged"
stepwell sweep --quiet --from today --until "$until" --html "$CASE_OUT/page.html"
check 'and a page for the browser' test -s "$CASE_OUT/page.html"

# The same as Slurm jobs, on both nodes.
cp -r /root/summaries /root/nights "$(mktemp -d /home/sweep.XXXXXX)"
mv /home/sweep.* /home/sweep
sed 's,/root/,/home/sweep/,' /root/sweep.yaml >/home/sweep/sweep.yaml
chown -R stepwell:stepwell /home/sweep
chmod 755 /home/sweep
sacctmgr -i add user stepwell account=users adminlevel=operator >/dev/null
check 'a job array of eight is submitted' as_user stepwell \
	env TZ="$TZ" LC_ALL=C.UTF-8 STEPWELL_CONF=/home/sweep/sweep.yaml \
	stepwell sweep --quiet --rows 0 --from today --until "$until" --submit 8
has_ended()
{
	[ -z "$(squeue -h -u stepwell)" ]
}
check '  and ends, with the job that joins them' wait_for 300 has_ended
sacct -aXPn -u stepwell -S today -o jobid,state,nodelist >"$CASE_OUT/array"
is "$(cut -d'|' -f2 "$CASE_OUT/array" | sort | uniq -c | xargs)" '9 COMPLETED' \
	'  all well'
is "$(cut -d'|' -f3 "$CASE_OUT/array" | sort -u | xargs)" 'n1 n2' \
	'  on both nodes'
cp "/home/sweep/nights/$(date +%F).page" "$CASE_OUT/array.page"
check '  with the same page' cmp "$CASE_OUT/page" "$CASE_OUT/array.page"

finish
