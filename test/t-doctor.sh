#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Black-box tests of "stepwell doctor": its texts, its exit status, and the
# summary of many nodes.
# shellcheck source=test/lib.sh
. "${abs_top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}/test/lib.sh"

export LC_ALL=C
unset SLURM_CONF
root=$work/root
mkdir -p "$root/etc/slurm"

doctor()
{
	"$stepwell" doctor "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
}

# answer NODE STATE CAUSE [FIX]: print the JSON of such a node's doctor
answer()
{
	printf '{"schema":"stepwell.doctor/1","node":"%s","checks":[' "$1"
	printf '{"id":"switch","state":"OK","text":"x"},'
	printf '{"id":"recorder","state":"%s","cause":"%s","text":"on %s"' \
		"$2" "$3" "$1"
	[ $# -lt 4 ] || printf ',"fix":"%s"' "$4"
	printf '}]}\n'
}

doctor --root "$root" --frobnicate
is "an unknown option: status" 2 $status
doctor --root
is "a root that is missing: status" 2 $status
is "a root that is missing: words" \
	"stepwell: doctor: --root needs a value (FOLDER)" \
	"$(cat "$work/err")"
doctor --root "$work/nowhere"
is "a root that is not there: status" 1 $status
doctor --json --fix
is "--json with --fix: status" 2 $status
doctor here
is "an operand: status" 2 $status

# A node without the plugin in plugstack.conf.
echo 'ClusterName=t' >"$root/etc/slurm/slurm.conf"
doctor --root "$root"
is "no line for the plugin: status" 1 $status
is "no line for the plugin: words" 1 \
	"$(grep -c '^FAIL  plugstack .* has no line for stepwell.so' \
		"$work/out")"
doctor "--root=$root" --fix
is "--fix: status" 1 $status
is "--fix: nothing but comments and the command" \
	"echo 'optional stepwell.so' >>/etc/slurm/plugstack.conf && systemctl restart slurmd" \
	"$(grep -F plugstack.conf "$work/out" | grep -v '^#')"
is "--fix ran nothing" "slurm.conf" "$(ls "$root/etc/slurm")"
is "--fix is a script" 0 "$(bash -n "$work/out" 2>&1 | wc -l)"
doctor --root "$root" --json
is "--json: one line" 1 "$(wc -l <"$work/out")"
is "--json: a check" FAIL "$(python3 -c '
import json, sys
checks = json.load(open(sys.argv[1]))["checks"]
print([c["state"] for c in checks if c["id"] == "plugstack"][0])' \
	"$work/out")"

# Every check prints a result, even without anything to check.
mkdir "$work/empty"
doctor --root "$work/empty"
is "an empty root: status" 0 $status
is "an empty root: a line for each check" "" \
	"$(grep -vE '^(OK|WARN|FAIL|SKIP) +[a-z_]+ +[^ ].{8}' "$work/out")"
is "an empty root: as many as in the manual" \
	"$(sed -n 's/^\.It Sy \([a-z_]*\)$/\1/p' \
		"$abs_top_srcdir/man/stepwell-admin.8" | sort)" \
	"$(awk '{ print $2 }' "$work/out" | sort)"

# The plugin built here, and a slurmd that prints its version.
plugin=$abs_top_builddir/spank/stepwell.so
if [ -f "$plugin" ]; then
	release=$(sed -n "s/^SLURM_RELEASE = //p" "$abs_top_builddir/Makefile")
	install -m 0644 -D "$plugin" "$root/usr/lib64/slurm/stepwell.so"
	echo 'optional stepwell.so' >"$root/etc/slurm/plugstack.conf"
	doctor --root "$root"
	is "the plugin that was built: its release" 1 \
		"$(grep -c "^WARN  plugin .* is for Slurm $release; which" \
			"$work/out")"
fi
if [ -f "$plugin" ] && [ "$(id -u)" -eq 0 ]; then
	mkdir "$work/bin"
	echo "optional $root/usr/lib64/slurm/stepwell.so" \
		>"$root/etc/slurm/plugstack.conf"
	for says in "slurm $release.8" "slurm-wlm 21.08.1" "no version"; do
		printf '#!/bin/sh\necho "%s"\n' "$says" >"$work/bin/slurmd"
		chmod 755 "$work/bin/slurmd"
		PATH=$work/bin:$PATH SLURM_CONF=$root/etc/slurm/slurm.conf \
			"$stepwell" doctor | awk '$2 == "plugin" { print $1 }'
	done >"$work/out"
	is "slurmd -V decides" "OK FAIL WARN" "$(paste -sd ' ' "$work/out")"
fi
rm -f "$root/etc/slurm/plugstack.conf"

# Many nodes: as printed by srun, with and without --label.
{
	answer n1 OK ""
	answer n2 OK ""
	answer n10 FAIL "no socket" "systemctl start x"
	echo
	answer n11 FAIL "no socket"
	printf '17: '
	answer n3 WARN "slow"
	answer n2 OK ""
} >"$work/nodes"
doctor --nodes "$work/nodes"
is "--nodes: status" 1 $status
is "--nodes: one line per state, the worst first" \
"FAIL  recorder     2 nodes: n[10-11]: no socket
WARN  recorder     1 node: n3: slow
OK    switch       5 nodes: n[1-3,10-11]
OK    recorder     2 nodes: n[1-2]" "$(cat "$work/out")"
doctor --nodes "$work/nodes" --fix
is "--nodes --fix" "# FAIL recorder: n[10-11]: no socket
systemctl start x" "$(cat "$work/out")"
doctor --nodes "$work/nodes" --json
is "--nodes --json" "n[1-3,10-11] 5 4 FAIL" "$(python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
print(r["nodes"], r["node_count"], len(r["states"]), r["states"][0]["state"])' \
	"$work/out")"
"$stepwell" doctor --nodes - <"$work/nodes" >"$work/out2"
is "--nodes from standard input" 4 "$(wc -l <"$work/out2")"
# A pipe without a writer would block for ever.
mkfifo "$work/fifo"
timeout 60 "$stepwell" doctor --nodes "$work/fifo" >"$work/out2" 2>"$work/err"
is "--nodes of a pipe by its name: status" 1 $?
is "--nodes of a pipe by its name: words" 1 \
	"$(grep -c 'read with --nodes -' "$work/err")"
# srun --label splits lines; pieces of several tasks arrive in any order.
python3 - "$work/nodes" >"$work/labelled" <<'PYTHON'
import sys
pieces = []
for task, line in enumerate(filter(str.strip, open(sys.argv[1]))):
    line = line.rstrip("\n").split("17: ")[-1]
    for n, at in enumerate(range(0, len(line), 40)):
        pieces.append((n, task, line[at:at + 40]))
for n, task, text in sorted(pieces):
    print("%2d: %s" % (task, text))
PYTHON
doctor --nodes "$work/nodes"
cp "$work/out" "$work/whole"
doctor --nodes "$work/labelled"
is "--nodes of srun --label" "$(cat "$work/whole")" "$(cat "$work/out")"
sed -i '$d' "$work/labelled"
doctor --nodes "$work/labelled"
is "--nodes with a piece missing: status" 4 $status
is "--nodes with a piece missing: words" 1 \
	"$(grep -c '1 of 6 answers' "$work/err")"
doctor --nodes /dev/null
is "--nodes without a node: status" 3 $status
answer n1 OK "" >"$work/nodes"
doctor --nodes "$work/nodes"
is "--nodes, all well: status" 0 $status
{
	echo '{"schema":"stepwell.doctor/1"}'
	echo '{"schema":"stepwell.doctor/1","node":"n9","checks":[]}'
	echo 'srun: error: n8'
	echo '[1]'
} >>"$work/nodes"
doctor --nodes "$work/nodes"
is "--nodes with what is no answer: status" 4 $status
is "--nodes with what is no answer: words" 1 \
	"$(grep -c '4 of 5 answers are not output' "$work/err")"
is "--nodes with what is no answer: the rest" 2 \
	"$(grep -c '1 node: n1$' "$work/out")"
answer '\u001b[31mn1' FAIL '\u001b]0;x\u0007\n' >"$work/nodes"
doctor --nodes "$work/nodes"
is "--nodes: hostile names are printable" "" \
	"$(tr -d ' -~\n' <"$work/out")"
is "--nodes: hostile names stay on their line" 2 "$(wc -l <"$work/out")"
doctor --nodes "$work/nowhere"
is "--nodes of a file that is not there: status" 1 $status

tally
