#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A step of two hours in time lapse: as many samples as the adaptive period
# gives in two hours, 30 ms apart.  The recorder's memory is constant after its
# first quarter, no row is lost, and a number takes no more than 0.237 bytes, as
# measured with bit-packed columns of differences for counters of real
# processes.  "make check-lapse" takes three minutes; STEPWELL_LAPSE_SAMPLES
# reduces them, STEPWELL_LAPSE_MSEC=1000 is real time: it prints the bytes per
# sample stated in README and manual.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

# 100 ms for 2 s, 1 s until the end of the first hour, then 2 s.
samples=${STEPWELL_LAPSE_SAMPLES:-$((20 + 3598 + 1800))}
period_msec=${STEPWELL_LAPSE_MSEC:-30}
profile=$work/p.stepwell

# A job that computes, writes, and runs a few programs.
# shellcheck disable=SC2016
"$stepwell" run --no-report --period "${period_msec}ms" --output "$profile" -- sh -c '
	"$1/w_steady" 1000000000 0 >"$3" &
	end=$(($(date +%s) + $2))
	while [ "$(date +%s)" -lt "$end" ]; do
		gzip -c "$1/w_steady" | wc -c >"$3.size"
		sleep 2
	done; kill $!; wait' sh "$abs_top_builddir/test/workloads" \
	$((samples * period_msec / 1000)) "$work/lines"
"$stepwell" dump "$profile" >"$work/dump"

python3 - "$profile" "$work/dump" >"$work/numbers" <<'PYTHON'
import os, sys
tables, columns, table = {}, None, None
for line in open(sys.argv[2]):
    line = line.rstrip("\n")
    if line.startswith("# table "):
        table, columns = line.split()[2].rstrip(","), None
    elif not line:
        table = None
    elif table and columns is None:
        columns = line.split("\t")
        tables[table] = (columns, [])
    elif table:
        tables[table][1].append(line.split("\t"))
columns, rows = tables["series.recorder"]
rss = [int(row[columns.index("rss_bytes")]) for row in rows]
quarter = max(rss[len(rss) // 4 - 20:len(rss) // 4 + 20])
columns, summary = tables["summary"]
values = sum(len(columns) * len(rows) for columns, rows in tables.values())
size = os.path.getsize(sys.argv[1])
samples = int(summary[0][columns.index("samples")])
print("samples", samples)
print("dropped", sum(int(row[7]) for row in rows))
print("grown", max(rss[3 * len(rss) // 4:]) - quarter)
print("rss", rss[-1])
print("size", size)
print("per_sample", size / samples)
print("per_value", size / values)
PYTHON

number()
{
	sed -n "s/^$1 //p" "$work/numbers"
}

sed 's/^/# /' "$work/numbers"
# Samples that a loaded machine cannot take in time are counted and skipped.
between 'samples of two hours' $((samples * 8 / 10)) $((samples * 11 / 10)) \
	"$(number samples)"
is 'no row was lost' 0 "$(number dropped)"
between 'the memory at the end is that of the first quarter' -1e9 65536 \
	"$(number grown)"
# In real time counters grow by more from one sample to the next.
if [ "$period_msec" -eq 30 ]; then
	between 'bytes for each number' 0 0.237 "$(number per_value)"
	between 'bytes for each sample' 0 48 "$(number per_sample)"
fi
tally
