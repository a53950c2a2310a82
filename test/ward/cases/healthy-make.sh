# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: make -j2 compiles many files on the two CPUs requested
# request: --cpus 2
# never: cpu.fork_heavy io.many_files
# bottleneck: cpu
# busy: 2
# needs: cpus:2 cc make

prepare()
{
	local i j count

	count=$(long 400)
	for ((i = 0; i < count; i++)); do
		for ((j = 0; j < 400; j++)); do
			echo "int f${i}_$j(int *a, int n) { int s = $j;" \
				"for (int i = 0; i < n; i++) s += a[i] * $i;" \
				"return s; }"
		done >u$i.c
	done
	# shellcheck disable=SC2016 # they are make's
	printf 'all: $(patsubst %%.c,%%.o,$(wildcard u*.c))\n' >Makefile
	printf '%%.o: %%.c\n\tcc -O2 -c $<\n' >>Makefile
}

job() { timeout --foreground "$(long 15)" make -s -j2; true; }
