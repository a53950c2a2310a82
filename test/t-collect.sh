#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# "stepwell sweep --collect": copy each node's summaries to one folder, by a job
# on each.  Nodes that are down, full or broken, foreign names and files, two
# concurrent copies, and kills at any moment.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
srcdir=${abs_top_srcdir:-$(dirname "$0")/..}
fixtures=$srcdir/test/fixtures
export TZ=UTC LC_ALL=C SACCT_WINDOWS=/dev/null
mkdir "$work/bin" "$work/nodes" "$work/nights"
for program in sacct/sacct sweep/sbatch sweep/sinfo; do
	cp "$fixtures/$program" "$work/bin"
done
chmod 755 "$work/bin"/*
PATH=$work/bin:$PATH
export SBATCH_LOG=$work/sbatch SBATCH_NODES=$work/nodes
unset SBATCH_PARTITION
shared="$work/it's \$shared"
mkdir -m 750 "$shared"
today=$(date -u +%Y-%m-%d)
day=$(date -u -d "$today - 1 day" +%Y-%m-%d)
old=$(date -u -d "$today - 100 days" +%Y-%m-%d)
midnight=$(date -u -d "$day" +%s)
printf 'summary_dirs: "%s"\nsweep_dir: %s\n' "$shared" "$work/nights" \
	>"$work/settings.yaml"
export STEPWELL_CONF=$work/settings.yaml

# Three nodes have summaries of that day, one has none.
mkdir "$work/text"
awk -v midnight="$midnight" -v night=1 -v summaries="$work/text" \
	-f "$fixtures/sweep/night.awk" >"$work/jobs"
export SACCT_JOBS=$work/jobs
for node in n1 n2 n3; do
	mkdir -m 750 "$work/nodes/$node"
	echo "summaries_dir: $work/nodes/$node" >"$work/nodes/$node.yaml"
	"$abs_top_builddir/test/mkprofile" "$work/text/$node" \
		"$work/nodes/$node/$day.$node.stepwell"
done

collect() { # OPTION...
	rm -f "$work"/sbatch.*
	"$stepwell" sweep --collect --from "$day" "$@" >"$work/out" \
		2>"$work/err"
	status=$?
}
into() { # NODE [FOLDER]: on that node itself
	STEPWELL_CONF=$work/nodes/$1.yaml "$stepwell" sweep \
		--collect-into "${2-$shared}" >"$work/out" 2>"$work/err"
	status=$?
}
has() { # WHAT TEXT [FILE]
	if grep -qF -e "$2" "$work/${3:-out}"; then
		is "$1" yes yes
	else
		is "$1" "$2" "$(cat "$work/${3:-out}")"
	fi
}
listed() { # what is in the shared folder, the lock aside
	find "$shared" -mindepth 1 ! -name .collect.lock -printf '%f\n' | sort |
		paste -sd' '
}
same() { # NODE...: as on the node
	local node
	for node in "$@"; do
		cmp "$work/nodes/$node/$day.$node.stepwell" \
			"$shared/$day.$node.stepwell" || return 1
	done
}

# --- unwritable outputs are detected before the first job

printf 'n1|idle|up|main\n' >"$work/sinfo"
export SINFO_NODES=$work/sinfo
touch "$work/file"
for where in "--state $work/file/nights" "--html $work/gone/page" \
	"--submit 2 --state $work/file/nights"; do
	# shellcheck disable=SC2086 # words
	collect $where
	is "$where: failure" 1 $status
	is 'no job was submitted' 0 "$(cat "$work/sbatch.calls" 2>/dev/null || echo 0)"
	is 'no summary was copied' '' "$(listed)"
done
has 'which is named' "$work/file" err

# --- all nodes

cat >"$work/sinfo" <<'END'
n1|idle|up|main
n1|idle|up|debug
n2|mixed|up|main
n3|allocated+|up|main
n4|down*|up|main
n5|drained|up|main
n6|idle~|up|cloud
n7|idle|inact|closed
END
collect --quiet
is 'all nodes: ok' 0 $status
yes_ 'what they had is there' same n1 n2 n3
is 'and nothing else' "$day.n1.stepwell $day.n2.stepwell $day.n3.stepwell" \
	"$(listed)"
is 'for the owner and the group alone' 640 \
	"$(stat -c %a "$shared/$day.n1.stepwell")"
has 'a node that is down is named' 'node n4: no job submitted: its state is down*' err
has 'one that is drained' 'node n5: no job submitted: its state is drained' err
has 'one that is off is not started for it' 'node n6: no job submitted: its state is idle~' err
has 'one of no partition that is up' 'node n7: no job submitted: none of its partitions is up' err
is 'a job on each of the others, and one behind all' 4 \
	"$(cat "$work/sbatch.calls")"
is 'each on its node' '--nodelist=n1 --nodelist=n2 --nodelist=n3' \
	"$(cat "$work"/sbatch.[1-3] | grep nodelist | paste -sd' ')"
is 'in a partition that is up' '--partition=debug --partition=main --partition=main' \
	"$(cat "$work"/sbatch.[1-3] | grep partition | paste -sd' ')"
is 'none waits for ever' 4 \
	"$(cat "$work"/sbatch.[1-4] | grep -c -- --deadline=now+)"
is 'the last one waits for all of that name, and we for it' 2 \
	"$(grep -cxE -- '--dependency=singleton|--wait' "$work/sbatch.4")"
is 'all have that name' 4 \
	"$(cat "$work"/sbatch.[1-4] | grep -cx -- --job-name=stepwell-collect)"
cp "$work/out" "$work/page"
sed "s|.*|summary_dirs: [$work/nodes/n1, $work/nodes/n2, $work/nodes/n3]|;q" \
	"$work/settings.yaml" >"$work/direct.yaml"
is 'the page is that of the nodes themselves' '' "$(STEPWELL_CONF=$work/direct.yaml \
	"$stepwell" sweep --from "$day" --state "$work/direct" | diff "$work/page" -)"
SBATCH_PARTITION="admin" collect --quiet
is 'a partition that was chosen is left as it is' '' \
	"$(grep -h partition "$work"/sbatch.[1-3])"

# Again: nothing changes, and nothing is written.
before=$(ls -li --time-style=full-iso "$shared")
collect --quiet
is 'again: ok' 0 $status
is 'the same page' '' "$(diff "$work/page" "$work/out")"
is 'and not a file was written' "$before" \
	"$(ls -li --time-style=full-iso "$shared")"
into n1
has 'which is said' '0 files copied' out

# Changed files are copied, and a finished file replaces its draft.
cat "$work/nodes/n1/$day.n1.stepwell" >"$work/nodes/n1/$today.n1.stepwell.part"
into n1
has 'the day that is being written' '1 file copied' out
is 'is there' yes "$([ -e "$shared/$today.n1.stepwell.part" ] && echo yes)"
mv "$work/nodes/n1/$today.n1.stepwell.part" "$work/nodes/n1/$today.n1.stepwell"
into n1
is 'once it is finished it is there once' "$today.n1.stepwell" \
	"$(cd "$shared" && echo "$today".n1.*)"
rm "$shared/$today.n1.stepwell" "$work/nodes/n1/$today.n1.stepwell"

# --- nodes that fail

rm "$work/nodes/n3.yaml"
rm "$shared"/*.stepwell
collect --quiet
is 'a node on which no job starts: ok' 0 $status
has 'it is named' 'node n3: its job left no messages' err
has 'and what that means' '1 of 3 nodes did not copy all summaries' err
yes_ 'the others are there' same n1 n2
echo "summaries_dir: $work/nodes/n3" >"$work/nodes/n3.yaml"
chmod 770 "$work/nodes/n3"
collect --quiet
has 'one whose folder others can write to: why' 'nodes/n3: others than its owner can write there' err
is 'of it nothing is copied' "$day.n1.stepwell $day.n2.stepwell" "$(listed)"
rm -r "$work/nodes/n3"
collect --quiet
has 'one without the folder: why' 'nodes/n3: No such file or directory' err
SBATCH_FAILS=2 collect --quiet
is 'a job that is refused: ok' 0 $status
has 'why' 'node n2: sbatch failed: sbatch: error: Batch job submission failed: Invalid account' err
printf '%s\n' '-n9|idle|up|main' '../x|idle|up|main' 'n 1|idle|up|main' \
	"n1;touch $work/was-run|idle|up|main" 'n1|idle' 'n1|idle|up|a|b' \
	'n2|idle|up|it'"'"'s' >"$work/sinfo"
collect --quiet
is 'names that are none: ok' 0 $status
is 'they get no job' 1 "$(grep -c -- --nodelist= "$work/sbatch.1")"
is 'but one does, and the last' 2 "$(cat "$work/sbatch.calls")"
is 'nothing was run' no "$([ -e "$work/was-run" ] && echo yes || echo no)"
echo 'n4|down*|up|main' >"$work/sinfo"
collect --quiet
is 'no node at all: the page, and its status' 4 $status
has 'there is a page' 'jobs ended of 5 users'
has 'and what it lacks' 'no node can run a job now; the page has the summaries that were there' err
rm "$work/sinfo"
collect --quiet
is 'no answer from Slurm: the page, and its status' 4 $status
has 'there is a page without' 'jobs ended of 5 users'
has 'its words' 'Unable to contact slurm controller' err
printf 'n%s|idle|up|main\n' 1 2 >"$work/sinfo"

# --- all as jobs

mkdir "$work/state"
collect --quiet --submit 3 --state "$work/state"
is 'with --submit: ok' 0 $status
is 'nobody waits' '' "$(grep -h -- --wait "$work"/sbatch.[0-9])"
is 'but the parts, for the last of these' '--dependency=afterany:103' \
	"$(grep -h afterany "$work/sbatch.4")"
is 'the page' '' "$(diff <("$stepwell" sweep --quiet --from "$day") \
	"$work/state/$day.page")"
collect --shard 1/2 --output "$work/x"
is 'for a part: usage' 2 $status
collect --submit many
is 'for parts that are no number: usage' 2 $status
is 'and no job' no "$([ -e "$work/sbatch.calls" ] && echo yes || echo no)"
sed '/summary_dirs/d' "$work/settings.yaml" >"$work/none.yaml"
STEPWELL_CONF=$work/none.yaml collect
is 'without a folder: usage' 2 $status
has 'which one' 'the first folder of summary_dirs' err

# --- the shared folder

into n1 "$work/not-there"
is 'a folder that is not there: failure' 1 $status
has 'it is not made: a mount may be missing' 'not-there: No such file or directory' err
is 'nor is it' no "$([ -e "$work/not-there" ] && echo yes || echo no)"
mkdir -m 770 "$work/open"
into n1 "$work/open"
is 'one that others can write to: failure' 1 $status
has 'why' 'open: others than its owner can write there, so no summary in it counts' err
into n1 "$work/nodes/n1"
is 'the folder itself: failure' 1 $status
has 'is not copied to itself' 'writes there itself' err
if [ "$(id -u)" -eq 0 ]; then
	chown 23001 "$shared"
	collect --quiet
	has "another user's" 'is owned by user 23001, who could redirect' err
	is 'no job is submitted' no \
		"$([ -e "$work/sbatch.calls" ] && echo yes || echo no)"
	chown 0 "$shared"
else
	echo 'ok - skip: a folder of another owner needs root'
fi
exec 9>"$shared/.collect.lock"
flock 9
collect --quiet
is 'a second sweep that collects: the page, and its status' 4 $status
has 'that it is' 'another sweep is collecting there' err
exec 9>&-

# --- files in a node's folder

node=$work/nodes/n2
rm "$shared"/*.stepwell "$shared"/*.log
ln -s /etc/passwd "$node/$day.n8.stepwell"
mkfifo "$node/$day.n9.stepwell"
mkdir "$node/$day.n10.stepwell"
touch "$node/notes" "$node/..$day.n2.stepwell" "$node/$day.n2.stepwell.tail" \
	"$node/$day.n2.old.stepwell.x" "$node/$(printf '%s.\033[31m.stepwell' "$day")" \
	"$node/$(printf '%s.a\nb.stepwell' "$day")" "$node/$day..stepwell"
cp "$node/$day.n2.stepwell" "$node/$old.n2.stepwell"
into n2
is 'links, pipes and other names: partial' 4 $status
is 'only the file of the day is copied' "$day.n2.stepwell" "$(listed)"
has 'a link is named' "$day.n8.stepwell: not copied: " err
has 'a pipe' "$day.n9.stepwell: not copied: not a regular file" err
is 'nothing else' 3 "$(wc -l <"$work/err")"
if [ "$(id -u)" -eq 0 ]; then
	cp "$node/$day.n2.stepwell" "$node/$day.n11.stepwell"
	chown 23001 "$node/$day.n11.stepwell"
	into n2
	has "another user's" "$day.n11.stepwell: not copied: not the file of the folder's owner" err
	rm "$node/$day.n11.stepwell"
else
	echo 'ok - skip: a file of another owner needs root'
fi
rm -r "$node"/[.n]*[!w] "$node/$day.n8.stepwell" "$node/$day.n9.stepwell" \
	"$node/$day.n10.stepwell" "$node/$old.n2.stepwell" 2>/dev/null
cp "$work/nodes/n1/$day.n1.stepwell" "$shared/$old.n1.stepwell"
collect --quiet
is 'a copy that is too old is deleted' no \
	"$([ -e "$shared/$old.n1.stepwell" ] && echo yes || echo no)"
cp "$work/nodes/n1/$day.n1.stepwell" "$shared/$old.n1.stepwell"
echo 'sweep_keep_days: 0' >>"$work/settings.yaml"
collect --quiet
is 'unless all are kept' yes "$([ -e "$shared/$old.n1.stepwell" ] && echo yes)"
rm "$shared/$old.n1.stepwell"

# --- a full disk

{ printf SWF1; head -c 100000 /dev/urandom; } \
	>"$work/nodes/n1/$today.n1.stepwell"
mkdir -m 750 "$work/small"
export abs_top_builddir work stepwell
# shellcheck disable=SC2016 # for the shell with the mount
if unshare -m sh -c 'mount -t tmpfs -o size=4k,mode=750 none "$work/small" &&
	{ STEPWELL_CONF=$work/nodes/n1.yaml "$stepwell" sweep --collect-into \
		"$work/small" >"$work/out" 2>"$work/err"
	  echo $? >"$work/status"; ls -A "$work/small" >"$work/left"; }' \
	2>"$work/mount"; then
	is 'a full disk: partial' 4 "$(cat "$work/status")"
	has 'why' "$today.n1.stepwell: not copied: No space left on device" err
	is 'no half of a file is left' '' "$(grep -F "$today" "$work/left")"
else
	echo "ok - skip: a full disk needs a mount: $(cat "$work/mount")"
fi
rm "$work/nodes/n1/$today.n1.stepwell"

# --- concurrently, and killed: each copy is one of the complete versions

file=$today.n1.stepwell
source=$work/nodes/n1/$file
for size in 1 2 3; do
	{ printf SWF1; head -c $((size * 1500000)) /dev/urandom; } \
		>"$work/version$size"
done
sums=$(md5sum <"$work/version1"; md5sum <"$work/version2"
	md5sum <"$work/version3")
torn=0
for i in {1..30}; do
	cp "$work/version$((i % 3 + 1))" "$work/nodes/n1/draft"
	mv "$work/nodes/n1/draft" "$source"
	for _ in 1 2 3; do
		STEPWELL_CONF=$work/nodes/n1.yaml "$stepwell" sweep \
			--collect-into "$shared" >/dev/null 2>&1 &
	done
	pids=$(jobs -p)
	if [ $((i % 2)) -eq 0 ]; then
		sleep "0.0$((i % 10))"
		# shellcheck disable=SC2086
		kill -9 $pids 2>/dev/null
	fi
	# shellcheck disable=SC2086
	wait $pids 2>/dev/null
	[ ! -e "$shared/$file" ] ||
		[[ $sums == *"$(md5sum <"$shared/$file")"* ]] ||
		torn=$((torn + 1))
done
is 'three at once, killed or not: no copy is torn' 0 $torn
into n1
is 'and once more: it is what the node has' '' \
	"$(cmp "$source" "$shared/$file" 2>&1)"
is 'and nothing is left beside it' '' \
	"$(find "$shared" -name '.*.new')"

tally
