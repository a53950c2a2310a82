# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a script starts a process for each of thousands of lines
# request: --cpus 1
# must: cpu.fork_heavy
# never: program.failed io.many_files
# bottleneck: cpu

line() { /bin/true; }

job() { repeat 15 line; }
