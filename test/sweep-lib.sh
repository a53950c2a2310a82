# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Common code of the tests of "stepwell sweep": a site with its own summaries
# and nights, and a fake sacct that prints the jobs of a table.  Sourced after
# lib.sh or verb-lib.sh.
# shellcheck disable=SC2154 # what these set
srcdir=${abs_top_srcdir:-$(dirname "$0")/..}
fixtures=$srcdir/test/fixtures
export TZ=UTC LC_ALL=C
export SACCT_WINDOWS=/dev/null
# Midnight before the first of two nights.
midnight=$(date -d '2026-11-21 00:00' +%s)

# sweep_site: create folders, settings and programs, first in the PATH
sweep_site()
{
	mkdir "$work/bin" "$work/sum" "$work/nights"
	install -m 755 "$fixtures/sacct/sacct" "$work/bin"
	chmod 750 "$work/sum"
	PATH=$work/bin:$PATH
	cat >"$work/settings.yaml" <<-EOF
		summaries_dir: $work/sum
		sweep_dir: $work/nights
	EOF
	chmod 644 "$work/settings.yaml"
	export STEPWELL_CONF=$work/settings.yaml
}

# night_jobs NIGHT: write the jobs of night 1 or 2 to $work/jobsNIGHT, and the
# summaries of the nodes' recorders
night_jobs()
{
	local night=$1 text
	mkdir "$work/text$night"
	awk -v midnight=$((midnight + (night - 1) * 86400)) -v night="$night" \
		-v summaries="$work/text$night" -f "$fixtures/sweep/night.awk" \
		>"$work/jobs$night"
	for text in "$work/text$night"/*; do
		"${builddir:-$abs_top_builddir}/test/mkprofile" "$text" \
			"$work/sum/2026-11-2$night.${text##*/}.stepwell"
	done
}

# jobs_of OPTION...: print an sacct table with the jobs of an awk script (-f)
jobs_of()
{
	awk -v midnight="$midnight" -v night=1 \
		-f "$fixtures/sweep/night.awk" | head -n1
	awk -v midnight="$midnight" -v night=1 "$@" \
		-f "$fixtures/sweep/night.awk"
}

# sweep OPTION...: run on $work/jobs, with output to $work/out and $work/err
sweep()
{
	SACCT_JOBS=$work/jobs "$stepwell" sweep --from 2026-11-21 "$@" \
		>"$work/out" 2>"$work/err"
	status=$?
}

# page: print the last output as one line, so that wrapping does not matter
page()
{
	tr -s '\n ' '  ' <"$work/out"
}

# value EXPRESSION: evaluate it on the last JSON output, d; g by label
value()
{
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
g = {x["label"]: x for x in d["groups"]}
print(eval(sys.argv[2]))' "$work/out" "$1"
}
