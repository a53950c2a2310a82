# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: head ends its pipelines early, as they are meant to end
# request: --cpus 1
# never: program.killed program.failed
# bottleneck: cpu

job()
{
	local i count

	count=$(long 20)
	for ((i = 0; i < count; i++)); do
		yes | head -n 1000 >/dev/null
		seq 1000000 | head -n 1 >/dev/null
	done
	ward phases 1x11
}
