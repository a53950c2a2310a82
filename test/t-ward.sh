#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The ward itself: its cases can be parsed and name existing findings, and its
# judge detects missed, forbidden, inaccurate and wrong ones.  "make ward" runs
# them.
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/lib.sh"
export PYTHONDONTWRITEBYTECODE=1
ward=$top/test/ward

"$ward/run-ward" --build "$abs_top_builddir" --check >"$work/said" 2>&1
status=$?
is "every case names known findings, and each finding has a case" "" \
	"$(cat "$work/said")"
is "so the check passes" 0 $status

# Where something is missing or wrong, it says what to type.
cp -R "$ward" "$work/ward"
rm "$work/ward/cases/time-over-requested.sh"
sed -i 's/^gpu.idle\t/gpu.unknown\t/' "$work/ward/no-case"
echo 'cpu.throttled	a case has it' >>"$work/ward/no-case"
"$work/ward/run-ward" --build "$abs_top_builddir" --check >"$work/said"
is "a finding without a case is refused" 1 $?
is "it says which, and what to add" \
	"gpu.unknown cpu.throttled gpu.idle time.over_requested" \
	"$(sed -n "s,$work/ward/,,
		s,^no-case: cpu.throttled: remove its line.*,cpu.throttled,p
		s,^no-case: gpu.unknown: no such finding$,gpu.unknown,p
		s,^\([a-z_.]*\): no case .*cases/NAME.sh .*no-case if .*,\1,p" \
		"$work/said" | paste -sd' ')"
echo gpu.idle >>"$work/ward/no-case"
"$work/ward/run-ward" --build "$abs_top_builddir" --check >"$work/said" 2>&1
is "so is one without a reason" 1 \
	"$(grep -c 'no-case: gpu.idle: no reason is given' "$work/said")"

cat >"$work/case.sh" <<'CASE'
# truth: a case of this test
# request: --cpus 4
# must: cpu.over_allocated|cpu.single_threaded io.stalled
# may: net.bound
# never: oom.silent
# bottleneck: cpu|lock
# number: cpu.used_core_seconds 10 5%
# number: elapsed_seconds $took*2 1%
# says: io.stalled /scratch
CASE

# verdict FINDINGS RESOURCE CPU: print the judge's verdict on such a report
verdict()
{
	python3 - "$ward" "$work/case.sh" "$@" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
from ward import case, judge
findings = [{"id": word, "sentence": "/scratch" if "." in word else ""}
            for word in sys.argv[3].split()]
report = {"findings": findings, "steps": [{
    "elapsed_seconds": 10, "memory": {"need_bytes": 10, "peak_bytes": 20,
                                      "requested_bytes": 100},
    "cpu": {"allocated_cores": 4, "used_core_seconds": float(sys.argv[5])},
    "bottleneck": {"resource": sys.argv[4], "limit": "peer"}}]}
v = judge.judge(case.read_case(sys.argv[2]), report, {"took": "5"})
print([sorted(ids) for ids in v.missed], v.forbidden, v.off, v.unsaid,
      v.bottleneck, v.is_first_right, v.is_right, v.peers.notes,
      round(v.peers.cpu, 2))
PYTHON
}

is "all that is expected is right" \
	"[] [] [] [] cpu True True ['cpu', 'serial', 'memory'] 0.24" \
	"$(verdict 'io.stalled cpu.single_threaded net.bound' cpu 9.6)"
is "what is missed, forbidden and off is seen" \
	"[['io.stalled']] ['oom.silent'] ['cpu.used_core_seconds: 20, not 10'] \
['io.stalled: /scratch'] network False False ['cpu', 'memory'] 0.5" \
	"$(verdict 'oom.silent cpu.over_allocated' waiting 20)"
# rounds OTHERS FINDINGS...: run one round of the case for each, with a CPU
# limit, while others used OTHERS CPUs; prints the overall result, with the page
# in $work/page; ALL is the number of findings
rounds()
{
	python3 - "$ward" "$work" "$@" <<'PYTHON'
import os, sys
sys.path.insert(0, sys.argv[1])
from ward import case, document, judge, repeats
work, others = sys.argv[2:4]
truth = judge.read_truth("took=5 length=0.5")
others = float(others.replace("ALL", str(len(os.sched_getaffinity(0)))))
peer = {"elapsed_seconds": 10, "memory": {},
        "cpu": {"allocated_cores": 4, "used_core_seconds": 5},
        "bottleneck": {"resource": "cpu"}}
def verdict(found):
    report = {"steps": [peer], "findings": [
        {"id": word, "sentence": "/scratch"} for word in found.split()]}
    v = judge.judge(case.read_case(f"{work}/case.sh"), report, truth)
    v.others = others
    v.allow_disturbance()
    return v
all_rounds = [[verdict(found)] for found in sys.argv[4:]]
for v, in all_rounds:
    print(v.is_right, v.is_helpful, v.forbidden, len(v.excused))
print(len(list(repeats.unstable(all_rounds))), "not stable")
with open(f"{work}/page", "w") as file:
    print(*document.page(all_rounds, "On a test."), sep="\n", file=file)
PYTHON
}

sed -i 's/^# number: cpu.*/# number: cpu.used_core_seconds $length*10 5%/' \
	"$work/case.sh"
is "a number follows the length, and rounds that say the same are stable" \
	"True True [] 0
True True [] 0
0 not stable" \
	"$(rounds 0 'io.stalled cpu.single_threaded' \
		'cpu.single_threaded io.stalled')"
is "the table of a page has the case, and what was expected" 1 \
	"$(grep -cF '| case | a case of this test | cpu.over_allocated\|cpu.single_threaded io.stalled | io.stalled cpu.single_threaded | - | - | cpu |' \
		"$work/page")"
is "it has totals and how it was made" 2 \
	"$(grep -c -e '^| wholly right | 2 of 2 ' -e '^On a test' "$work/page")"
is "a finding that comes and goes is not stable" \
	"True True [] 0
False True [] 0
1 not stable" \
	"$(rounds 0 'io.stalled cpu.single_threaded' 'io.stalled')"
is "the page says which case that is" 1 \
	"$(grep -c '^- case: right: .*; cpu; or wrong: io.stalled; cpu' \
		"$work/page")"
sed -i '/^# says/d' "$work/case.sh"
is "a starved run is starved or nothing, and a false finding is one" \
	"True True [] 2
True True [] 2
False False ['oom.silent'] 0
1 not stable" \
	"$(rounds ALL cpu.starved "" \
		'oom.silent io.stalled cpu.single_threaded')"
# With a case that keeps one CPU busy.
is "one that was disturbed, and had its CPU, has to show what it is" \
	"False False [] 0" "$(rounds 0.3 '' | head -n 1)"
awk -v cpus="$(nproc)" 'BEGIN { print "# busy: " cpus - 0.2 }' \
	>>"$work/case.sh"
is "one that lacked next to nothing, too" "False False [] 0" \
	"$(rounds 0.3 '' | head -n 1)"
is "one that lacked a quarter of a CPU was starved" "True True [] 2" \
	"$(rounds 0.5 '' | head -n 1)"
printf '# truth: t\n# bottleneck: io\n# first: I/O .* MB\n# avoid: larger node\n' \
	>"$work/words.sh"
# words TEXT: print the faults of such a report
words()
{
	python3 - "$ward" "$work/words.sh" "$@" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
from ward import case, judge
print(*judge.check_words(case.read_case(sys.argv[2]), sys.argv[3]), sep="\n")
PYTHON
}
is "a report that begins and goes on as it should is right" "" \
	"$(words 'x: I/O at
2 MB/s.

more')"
is "one that does not, or says what it must not, is wrong" \
	'the first line: I/O .* MB
what is right instead of "larger node"' \
	"$(words 'x: CPU.

I/O at 2 MB: use a larger
node')"

# drawn SEED COUNT: write the variants to $work/drawn
drawn()
{
	python3 - "$ward" "$work/drawn" "$@" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
from ward import variants
variants.write(sys.argv[2], int(sys.argv[4]), int(sys.argv[3]))
variants.read(sys.argv[2])
PYTHON
	cat "$work/drawn"/*.sh | cksum
}
count=$(python3 -c 'import sys; sys.path.insert(0, sys.argv[1])
from ward import healthy, ill
print(len(ill.KINDS) >= 20 and len(healthy.KINDS) >= 8,
      len(ill.KINDS) + len(healthy.KINDS))' "$ward")
is "there are 20 illnesses and 8 healthy kinds to draw" True "${count% *}"
is "a seed draws the same variants again" "$(drawn 5 200)" "$(drawn 5 200)"
is "each is a script of bash" "" \
	"$(for file in "$work/drawn"/*.sh; do bash -n "$file" 2>&1; done)"
yes_ "another seed draws others" [ "$(drawn 6 200)" != "$(drawn 5 200)" ]
"$ward/run-ward" --build "$abs_top_builddir" --variants "${count#* }" \
	--out "$work/out" --seed 5 --check >"$work/said"
is "they name known findings" "0" "$(grep -c 'no such finding' "$work/said")"
is "each kind is drawn, and its file kept" "${count#* }" \
	"$(find "$work/out/scripts" -name '*.sh' | wc -l)"

sed -i 's/^# bottleneck: .*/# bottleneck: disk/' "$work/case.sh"
is "a case with a word that is none is refused" "1" \
	"$(verdict '' cpu 1 2>&1 | grep -c 'not a bottleneck: disk')"
tally
