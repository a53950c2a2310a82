# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of "stepwell sweep" share: a site with summaries and nights of
# its own, and a stand-in for sacct that has the jobs of a table.  Sourced after
# lib.sh or verb-lib.sh.
# shellcheck disable=SC2154 # what these set
srcdir=${abs_top_srcdir:-$(dirname "$0")/..}
fixtures=$srcdir/test/fixtures
export TZ=UTC LC_ALL=C
export SACCT_WINDOWS=/dev/null
# The midnight before the first of two nights.
midnight=$(date -d '2026-11-21 00:00' +%s)

# sweep_site: its folders, settings and programs, first on the PATH
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

# night_jobs NIGHT: the jobs of night 1 or 2 into $work/jobsNIGHT, and what the
# nodes' recorders kept of them
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

# jobs_of OPTION...: a table of sacct with the jobs of a script of awk (-f)
jobs_of()
{
	awk -v midnight="$midnight" -v night=1 \
		-f "$fixtures/sweep/night.awk" | head -n1
	awk -v midnight="$midnight" -v night=1 "$@" \
		-f "$fixtures/sweep/night.awk"
}

# sweep OPTION...: of the jobs in $work/jobs, into $work/out and $work/err
sweep()
{
	SACCT_JOBS=$work/jobs "$stepwell" sweep --from 2026-11-21 "$@" \
		>"$work/out" 2>"$work/err"
	status=$?
}

# page: what was printed last, in one line, so that wrapped lines do not matter
page()
{
	tr -s '\n ' '  ' <"$work/out"
}

# value EXPRESSION: of the JSON that was printed last, as d; g by label
value()
{
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
g = {x["label"]: x for x in d["groups"]}
print(eval(sys.argv[2]))' "$work/out" "$1"
}
