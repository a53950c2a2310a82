# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: subshells, and forks of perl and python, end with what their parent asked for
# request: --cpus 1
# never: program.failed program.killed
# bottleneck: cpu
# needs: perl python3

job()
{
	for i in 1 2 3 4 5; do
		(exit "$i") || true
	done
	perl -e 'for (1 .. 5) { exit $_ unless fork; wait }
		 system("nosuch$_ 2>/dev/null") for 1 .. 3'
	python3 -c 'import os, subprocess
for i in range(8):
    pid = os.fork()
    if pid == 0:
        os._exit(i % 3)
    os.waitpid(pid, 0)
for name in ("nosuch1", "nosuch2", "nosuch3"):
    try:
        subprocess.run([name])
    except OSError:
        pass'
	ward phases 1x10
}
