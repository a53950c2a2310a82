# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a quota of half a CPU, and a program that would use one
# request: --cpus 1
# must: cpu.throttled
# never: cpu.over_allocated cpu.starved program.failed
# bottleneck: cpu
# needs: cgroup
# number: cpu.used_core_seconds $length*7.5 15%

prepare() { limit_cpu 50; }

job() { ward phases 1x15; }
