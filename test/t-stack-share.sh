#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One user's processes hang and are slow to read: the other's job is sampled as
# usual, and processes left out are reported to their user.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/lib.sh"
. "$top/test/node-lib.sh"

command -v cc >/dev/null || {
	echo '# skipped: no cc to build a stepwell-stack that takes long'
	exit 77
}
other=65532

# The recorder with a stepwell-stack that needs all of its CPU time.
mkdir "$work/bin"
mkfifo "$work/end" "$work/end.other"
chmod 666 "$work/end" "$work/end.other"
cp "$recorder" "$work/bin/stepwell-recorder"
recorder=$work/bin/stepwell-recorder
echo 'int main(void) { volatile long n = 0; for (;;) n++; }' >"$work/burn.c"
cc -o "$work/bin/stepwell-stack" "$work/burn.c" || exit 99
mkdir -m 3773 "$profiles"
echo 'cpu_limit_percent: 2' >"$work/stepwell.yaml"
start_recorder
recorder_pid=$(cat "$work/pid")

# CPU time in its first ten seconds counts as starting.
play --item S_JOB_ID=90 --step batch --uid $other --option stepwell=1s -- \
	sh -c "read line <$work/end.other" &
playing=$!
# shellcheck disable=SC2016 # of the task's shell
hold='for i in 1 2 3; do sleep 1000 & pids="$pids $!"; done;'
jobs=
for job in 91 92 93 94 95 96; do
	play --item S_JOB_ID=$job --step batch --option stepwell=1s -- \
		sh -c "$hold read line <$work/end; kill \$pids" &
	jobs+=" $!"
done

# children COUNT: this many were started, counting the concurrent ones
children()
{
	pgrep -u $user -P "$recorder_pid" -x stepwell-stack | wc -l
}
some()
{
	[ "$(children)" -gt 0 ]
}
await some
most=0
for _ in $(seq 150); do
	now=$(children)
	[ "$now" -le "$most" ] || most=$now
	sleep 0.1
done
between 'children of one user at a time' 1 2 "$most"
# end FIFO PID...: let its readers continue, and wait for these processes
end()
{
	local fifo=$1 pid
	shift
	for pid; do
		while kill -0 "$pid" 2>/dev/null; do
			timeout 1 sh -c "echo >'$fifo'"
		done
		wait "$pid"
	done
}
end "$work/end.other" $playing
# shellcheck disable=SC2086 # words on purpose
end "$work/end" $jobs
for job in 90 91 92 93 94 95 96; do
	await delivered $job
done
"$stepwell" report --no-sacct --json "$(of_job 90)" >"$work/other.json"
is "the other user's job is not put off" True "$(query "$work/other.json" \
	"r['recording']['not_sampled_for_cpu_limit_seconds'] < 3")"
told()
{
	for job in 91 92 93 94 95 96; do
		column "$(of_job $job)" stacks left_out
	done | sort | uniq -c | awk '{ print $2 }' | paste -sd' '
}
is 'in the other reports is why there are no stacks' 'budget time' "$(told)"
tally
