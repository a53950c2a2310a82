# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: reads a 400 MiB file again and again from the page cache; 64 MiB are
# truth: enough for it, for page cache is no need
# request: --cpus 1 --mem 64M
# never: memory.near_limit io.stalled memory.growth
# bottleneck: cpu

prepare()
{
	head -c 419430400 /dev/zero >data
	cat data >/dev/null
}

job() { repeat 14 sha256sum data; }
