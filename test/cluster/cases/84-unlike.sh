# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A job that fails silently on its eighth run is told at its end, from the
# user's own history, and from the one that the sweep makes; what another user
# forges changes nothing.  Tool, input or node: one of each.
# timeout: 2400
# Most scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"
plan 14

histories=/home/histories
# Without the user no summaries are kept.
on_nodes "groupadd -g 990 stepwell
	useradd -u 990 -g 990 -d /nonexistent -s /usr/sbin/nologin stepwell
	install -d -o stepwell -g stepwell -m 750 /var/spool/stepwell/summaries
	mkdir -p /etc/stepwell
	printf 'user_history_dir: $histories\n' >/etc/stepwell/stepwell.yaml"
install -d -m 755 $histories
cd /home/alice || exit
check 'the plugin and the recorders are there' set_up_recording

# A script that goes on after a failure, and ends with 0.
write_script /home/alice/chain.sh <<'JOB'
#!/bin/bash
#SBATCH --ntasks=1 --mem=200 --time=5
gzip -dc "$1" | sort >"sorted.$SLURM_JOB_ID"
sha256sum "sorted.$SLURM_JOB_ID" >"sum.$SLURM_JOB_ID"
sleep 1
true
JOB
seq 1 300000 | gzip >in.gz
chown alice in.gz

# run NAME USER FILE: its id is in $job, what it said in $said
run()
{
	job=$(sbatch_wait "$2" -J "$1" -w n1 -o "/home/$2/slurm-%j.out" \
		/home/alice/chain.sh "$3")
	wait_for 60 has_profiles "$2" "$job" 1 || diag "job $job: no profile"
	said=$(cat "/home/$2/slurm-$job.out")
}

### her own history
for _ in 1 2 3 4 5 6 7; do
	run align alice /home/alice/in.gz
done
is "$(grep -ci unlike <<<"$said")" 0 'seven runs are like each other'
check 'she imports them' as_user alice stepwell import
run align alice /home/alice/in.gz
is "$(grep -ci unlike <<<"$said")" 0 'another one is like them'
run align alice /home/alice/missing.gz
is "$(job_field "$job" JobState) $(job_field "$job" ExitCode)" \
	'COMPLETED 0:0' 'one without its input ends with 0'
matches "$said" 'stepwell: job .*[Uu]nlike .*gzip' \
	'and its end says that gzip failed, as it never did'
as_user alice stepwell report "$job" >"$CASE_OUT/report.txt" 2>&1
matches "$(cat "$CASE_OUT/report.txt")" 'run\.unlike_past' \
	'its report has the finding'

### what bob forges
as_user bob bash -c 'cp -r /home/profiles/$(id -u alice) /tmp/forged 2>/dev/null
	mkdir -p .local/state/stepwell && cd .local/state/stepwell &&
	for i in 1 2 3 4 5 6 7 8; do
		stepwell run -- bash -c "gzip -dc /nowhere; true" >/dev/null 2>&1
	done
	python3 - <<-END
	import sqlite3, glob
	for path in glob.glob("*.sqlite"):
	    db = sqlite3.connect(path)
	    db.execute("UPDATE groups SET name = replace(name, ?, ?)",
	               ("bob", "alice"))
	    db.execute("UPDATE runs SET user = ?", ("alice",))
	    db.commit()
	END
	for path in *.sqlite; do
		cp "$path" "'"$histories"'/$(id -u alice).sqlite" 2>/dev/null
	done
	true'
run align alice /home/alice/missing.gz
matches "$said" 'stepwell: job .*[Uu]nlike .*gzip' \
	"with bob's forged runs it is told as before"

### the history that the sweep makes
for _ in 1 2 3 4 5 6 7; do
	run bobs bob /home/alice/in.gz
done
has_rows()
{
	stepwell dump /var/spool/stepwell/summaries/*.part | grep -q "bobs"
}
check 'the recorder has summaries' wait_for 180 has_rows
check 'the sweep makes histories' stepwell sweep --from=today
is "$(stat -c '%U %a' "$histories/$(id -u bob).sqlite")" 'bob 400' \
	'one is of bob'
run bobs bob /home/alice/in.gz
is "$(grep -ci unlike <<<"$said")" 0 'his next run is like them'
run bobs bob /home/alice/missing.gz
matches "$said" 'stepwell: job .*[Uu]nlike .*gzip' \
	'one without its input is told, which he never imported'

check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
