#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# An unprivileged user: the command runs as usual without complaints; missing
# data is reported, source by source and finding by finding, and is never a
# zero.  Runs in root's test, since it is compared with root.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if [ "$(id -u)" -ne 0 ] || ! "${as[@]}" true; then
	echo '# skip: only root can be another user'
	exit 77
fi
# The user may not be able to read the build tree.
mkdir "$work/bin"
mkdir -m 1777 "$work/any"
cp "$abs_top_builddir/analyzer/stepwell" \
	"$abs_top_builddir/recorder/stepwell-recorder" "$work/bin"
export STEPWELL_LIBEXECDIR=$work/bin

# record NAME [COMMAND-TO-BECOME...]
record()
{
	profile=$work/any/$1.stepwell
	shift
	local more=${more-}
	# Expensive sources have their first row after a second.
	"$@" env XDG_STATE_HOME="$profile.state" \
		"$work/bin/stepwell" run --no-report --output "$profile" -- \
		sh -c "sleep 1.5; (sh -c 'kill -KILL \$\$'; :) 2>/dev/null
			$more echo said; echo complained >&2; exit 5" \
		>"$profile.out" 2>"$profile.err"
	status=$?
	"$stepwell" report --json "$profile" >"$profile.json"
	"$stepwell" report "$profile" >"$profile.txt"
	"$stepwell" dump "$profile" >"$profile.dump"
}

# List all sources: with a table, or with the reason for not having one.
sources()
{
	{
		sed -n 's/^# table series\.\([^,]*\),.*/\1/p' "$profile.dump"
		events "$profile" source_absent detail | sed 's/:.*//'
	} | sort -u | grep -vx recorder
}

report()
{
	query "$profile.json" "$1"
}

# not_evaluated ID: print the reason
not_evaluated()
{
	report "[n['because'] for n in r['not_evaluated']
		if n['id'] == '$1']"
}

record root
sources >"$work/sources"
between 'root: sources that are there or say why not' 15 64 \
	"$(wc -l <"$work/sources")"
record nobody "${as[@]}"
is "the command's status" 5 $status
is 'its output' said "$(cat "$profile.out")"
is 'and errors, none of them ours' complained "$(cat "$profile.err")"
is 'each source of root is there or says why not' "$(cat "$work/sources")" \
	"$(sources)"
is 'no reason is empty' '' \
	"$(events "$profile" source_absent detail | grep -vE '^[a-z_]+: .{8,}')"
is 'nothing was lost, and no call failed' '' "$(column "$profile" events kind |
	grep -vxE 'source_absent|killed' | sort -u)"
is 'the processes are found by their parents' process.tree \
	"$(report 'r["recording"]["backend"]')"
for rule in oom.silent oom.killed cpu.throttled place.numa_remote; do
	is "$rule is not evaluated, for want of a cgroup" 1 \
		"$(not_evaluated $rule | grep -c 'no cgroup of its own')"
done
is 'io.stalled is evaluated, by the threads that wait' '[]' \
	"$(not_evaluated io.stalled)"
is 'net.bound is not evaluated, for want of BPF' 1 \
	"$(not_evaluated net.bound | grep -c 'no BPF')"
is 'no finding and its absence at once' '[]' "$(report "[f['id']
	for f in r['findings'] if f['id'] in
	[n['id'] for n in r['not_evaluated']]]")"
is 'what is not known is no zero' '[None, None, None, {}]' "$(report "[
	s['memory'].get('oom_kills'), s['memory'].get('limit_bytes'),
	s.get('network'), s['pressure']]")"
is 'nor in the text' 1 "$(grep -cE '^ *pressure +not recorded' "$profile.txt")"
text=$(sed -n '/^The recording/,$p' "$profile.txt" | tr -s ' \n' ' ')
source=$(report 'r["recording"]["programs_source"]')
is "the text names both backends ($source)" 1 \
	"$(grep -cE "through process.tree \(.*\); programs through $source \(.{8}" \
		<<<"$text")"
is 'and nothing is measured twice' '' \
	"$(sed -n 's/^# table series.*, source \([^,]*\),.*/\1/p' \
		"$profile.dump" | grep -E 'bpf|cgroup')"

# of_program NAME: print processes that exited with 0, failed, were killed
of_program()
{
	report "[[p['exited_ok'], p['exited_nonzero'], p['killed_by']]
		for p in r['programs'] if p['name'] == '$1']"
}

# Exits of programs.
cat >"$work/any/tool" <<'SH'
#!/bin/sh
sleep 2
exit 4
SH
chmod 755 "$work/any/tool"
if tells_exits; then
	more="expr 1 = 2 >&2; expr 1 = 1 >&2; no-such-tool;" \
		record ends "${as[@]}"
	is 'the script does not hand on what fails in it' 5 $status
	if [ "$(report 'r["recording"]["programs_source"]')" = perf ]; then
		# Under load an exit without an event stays unknown.
		is 'a program that failed is known, and that another did not' \
			"[[1, 1, {}]]" "$(report "[[p['exited_ok'] +
			p.get('exited_unknown', 0), p['exited_nonzero'],
			p['killed_by']] for p in r['programs']
			if p['name'] == 'expr']")"
		# A program without a seen exit has no counts.
		is 'how each process ended is known, or said not to be' '[]' \
			"$(report "[p for p in r['programs'] if 'exited_ok' in p and
			p['count'] != p['exited_ok'] + p['exited_nonzero'] +
			p.get('exited_unknown', 0) +
			sum(p['killed_by'].values())]")"
		is 'what was killed is a finding' 1 "$(report "[f['sentence']
			for f in r['findings']
			if f['id'] == 'program.killed']" |
			grep -c 'sh was killed by SIGKILL')"
	fi
	STEPWELL_PROGRAMS=proc more="$work/any/tool;" \
		record ends-proc "${as[@]}"
	is 'that a sample has met it is enough' "[[0, 1, {}]]" \
		"$(of_program tool)"
fi
# In another network namespace there are no events.
if unshare --net true; then
	record apart unshare --net "${as[@]}"
	is 'program.killed is not evaluated, for its end was not seen' 1 \
		"$(not_evaluated program.killed | grep -c 'does not see')"
	is 'an end that was not seen is not "ok"' 1 \
		"$(grep -c '^  sleep .* 1 unknown$' "$profile.txt")"
	is 'and is what the recording lacks' 1 "$(report \
		'r["recording"]["missing_data"]' | grep -c '1 of sleep')"
	is 'and the report says why not' 1 "$(report \
		'r["recording"]["programs_reason"]' | grep -c 'exits: .\{8\}')"
fi
tally
