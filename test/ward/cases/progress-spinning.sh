# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a script looks for a file that does not come, without a pause
# request: --cpus 1
# must: progress.spinning
# never: progress.waiting
# bottleneck: cpu
# says: progress.spinning bash.*result

job()
{
	local end=$((SECONDS + $(long 15)))

	while [ ! -e result ] && [ $SECONDS -lt $end ]; do :; done
}
