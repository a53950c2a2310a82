#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The ward itself: its cases can be read and name findings that exist, and its
# judge sees what is missed, forbidden, off and wrong.  "make ward" runs them.
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/lib.sh"
export PYTHONDONTWRITEBYTECODE=1
ward=$top/test/ward

"$ward/run-ward" --build "$abs_top_builddir" --check >"$work/said"
is "every case can be read and names known findings" 0 $?
is "none names another one" "" "$(grep 'no such finding' "$work/said")"

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

# verdict FINDINGS RESOURCE CPU: what the judge says of such a report
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
    "bottleneck": {"resource": sys.argv[4], "limit": "network"}}]}
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
sed -i 's/^# bottleneck: .*/# bottleneck: disk/' "$work/case.sh"
is "a case with a word that is none is refused" "1" \
	"$(verdict '' cpu 1 2>&1 | grep -c 'not a bottleneck: disk')"
tally
