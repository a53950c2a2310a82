# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: pigz compresses a file that is in the page cache with two threads
# request: --cpus 2
# never: io.stalled
# bottleneck: cpu
# busy: 2
# needs: cpus:2 pigz

prepare() { base64 /dev/urandom | head -c 67108864 >data; }

job() { repeat 14 pigz -9 -k -f -p 2 data; }
