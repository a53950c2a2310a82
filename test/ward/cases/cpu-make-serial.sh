# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: make without -j; 4 CPUs requested
# request: --cpus 4
# must: cpu.over_allocated|cpu.single_threaded
# never: cpu.fork_heavy
# bottleneck: cpu
# needs: cc make

prepare()
{
	local i

	for ((i = 0; i < 400; i++)); do
		echo "int f$i(int a) { return a * $i + f$i(a - 1); }"
	done >u.c
	# shellcheck disable=SC2016 # they are make's
	printf 'all: $(patsubst %%,%%.o,$(shell seq 1000))
' >Makefile
	printf '%%.o: u.c
	cc -O2 -c -o $@ $<
' >>Makefile
}

job() { timeout --foreground "$(long 15)" make -s; true; }
