# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Access of root to programs and processes on this kernel: the available
# backends, and the correctness of their data.
# as: root
# timeout: 400
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by run-cases}"

# at_least MAJOR.MINOR: the kernel has this version, or a newer one
at_least()
{
	[ "$(printf '%s\n' "$1" "$(uname -r)" | sort -V | head -n 1)" = "$1" ]
}

# source_of TABLE: print the backend that wrote it
source_of()
{
	run_as stepwell dump "$profile" |
		sed -n "s/^# table $1, source \([^,]*\).*/\1/p"
}

of_program()
{
	query "next((t.get('$2') for t in r['programs'] if t['name'] == '$1'), 0)"
}

# BPF exists on each kernel with BTF; an iterator over a cgroup's processes only
# since 6.2.
processes=bpf.iter
! at_least 6.2 || processes=bpf

record spawn w_spawn 500 --truth "$truth"
diag "Linux $(uname -r)"
is "$(of_truth exited_zero)" 500 '500 children ran'
is "$(query 'r["recording"].get("programs_source")')" bpf 'programs: the backend'
is "$(source_of series.proc)" "$processes" 'processes: the backend'
is "$(of_program true count)" 500 'all of them were counted'
is "$(of_program true exited_ok)" 500 'and all of them ended well'
is "$(of_program true is_complete)" True 'and it is known to be all'

record cpu w_cpu 4 3 --truth "$truth"
is_near "$(query 'round(s["cpu"]["used_core_seconds"] * 1e6)')" \
	"$(of_truth cpu_usec)" 3 50000 'CPU time of three threads'
is_near "$(query 'round(sum(t["used_core_seconds"] for t in r["programs"]) * 1e6)')" \
	"$(of_truth cpu_usec)" 5 150000 'the same by program'

record silent w_silent --live-ms 500 --truth "$truth"
is "$status $(of_truth signal)" '0 9' 'a child is killed, the parent ends well'
is "$(finding program.killed 'f["id"]')" program.killed 'which is a finding'

finish
