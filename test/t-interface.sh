#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What others build on, in one list: verbs, options, findings, settings, tables
# with their columns, and the paths of JSON, as the programs have them.  It is
# held against test/interface.list, which "make golden" rewrites.
# shellcheck disable=SC2154 # what verb-lib.sh sets
# shellcheck source=test/verb-lib.sh
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/verb-lib.sh"
list=$srcdir/test/interface.list
recorder=$builddir/recorder/stepwell-recorder
export STEPWELL_HISTORY="$work/h.sqlite"

# options NAME: print "option NAME --step STEP" from its help
options()
{
	sed -nE "s/^ +(-[a-zA-Z], )?(--[a-z-]+( [A-Z]+)?)( .*)?\$/option $1 \\2/p"
}

verbs()
{
	"$stepwell" --help | options stepwell
	for verb in $("$stepwell" --help |
		sed -n 's/^  \([a-z]*\)  *[a-zA-Z].*/\1/p'); do
		echo "verb $verb"
		if [ "$verb" = run ]; then
			"$recorder" --help
		else
			"$stepwell" "$verb" --help
		fi | options "$verb"
	done
	"$recorder" --node --help 2>&1 | options recorder
}

findings()
{
	for finding in $("$stepwell" explain | cut -d' ' -f1); do
		echo "finding $finding"
		"$stepwell" explain "$finding" | sed -n "/^Settings/,\$s/^  \
\\([a-z_]*\\) .*/setting rules.$finding.\\1/p"
	done
}

# From the tables for reading the settings.
settings()
{
	grep -hoE '(\{ |NODE\(|!strcmp\(name, )"[a-z_]+"(\)|, [^"]|,$)' \
		"$srcdir"/analyzer/settings/*.c \
		"$srcdir/analyzer/nodes/catalogue.c" "$srcdir/common/recorder_keys.c" |
		sed 's/[^"]*"\([a-z_]*\)".*/setting \1/'
}

# From the generated manual page.
columns()
{
	awk '/^\.Ss / { table = $2; print "table " table }
	     /^\.It Sy .* No \(/ {
		column = $0
		sub(/^\.It Sy /, "", column)
		sub(/ No /, " ", column)
		print "column " table " " column
	     }' "$builddir/man/stepwell-profile.5"
}

# json SCHEMA FILE...: print "json SCHEMA steps[].cpu.efficiency" for each
# field; rows of a dump are those of a profile
json()
{
	schema=$1
	shift
	awk -v schema="$schema" '
	FNR == 1 { depth = 0; path = "" }
	{
		while (match($0, /"([^"\\]|\\.)*"|[][{}:]/)) {
			token = substr($0, RSTART, RLENGTH)
			$0 = substr($0, RSTART + RLENGTH)
			if (token ~ /^"/) {
				word = substr(token, 2, length(token) - 2)
			} else if (token == ":") {
				path = within[depth] word
				sub(/tables\[\]\.rows\[\]\..*/,
				    "tables[].rows[]", path)
				# Each of these is a report.
				if (path !~ /^components\[\]/)
					print "json " schema " " path
			} else if (token == "{") {
				within[++depth] = path (path ? "." : "")
			} else if (token == "[") {
				outside[++depth] = path
				path = path "[]"
			} else if (token == "]") {
				path = outside[depth--]
			} else {
				path = within[depth--]
				sub(/\.$/, "", path)
			}
		}
	}' "$@"
}

# of VERB...: print the paths of its JSON
of()
{
	run "$@" --json
	schema=$(sed -n 's/.*"schema":"stepwell\.\([^"]*\)".*/\1/p' "$work/out")
	[ -n "$schema" ] || echo "stepwell $* --json: no schema"
	json "$schema" "$work/out"
}

# Complete examples, and the expected files for fields that exclude each other.
full()
{
	for word in report killed suggest; do
		"$builddir/test/fulljson" $word "$work/story" >"$work/full"
		json "$(sed -n 's/.*"schema":"stepwell\.\([^"]*\)".*/\1/p' \
			"$work/full")" "$work/full"
	done
	json report/1 "$srcdir"/test/reports/*.json
}

# Ignored files are listed only for root, whom users may try to deceive.
only_for_root()
{
	if [ "$(id -u)" -ne 0 ]; then
		grep '^json list/1 ignored\[\]' "$list"
		return
	fi
	mkdir -p "$work/profiles/77"
	cp "$work/recordings"/* "$work/profiles/77"
	chown 77 "$work/profiles/77"
	of list
}

# Two nights, so that something has changed.
swept()
{
	mkdir -p "$work/bin" "$work/nights" "$work/rows"
	cp "$srcdir/test/fixtures/sacct/sacct" "$work/bin/sacct"
	for night in 1 2; do
		midnight=$(date -d "2026-11-2$night" +%s)
		awk -v midnight="$midnight" -v night=$night \
			-v summaries="$work/rows" \
			-f "$srcdir/test/fixtures/sweep/night.awk" \
			>"$work/jobs$night"
	done
	sed -i '/over_/s/16384M/8192M/g' "$work/jobs2"
	awk -v midnight="$midnight" \
		-f "$srcdir/test/fixtures/sweep/pipelines.awk" \
		-f "$srcdir/test/fixtures/sweep/night.awk" >>"$work/jobs2"
	mkdir -m 750 "$work/summaries"
	"$builddir/test/mkprofile" "$work/rows/n1" \
		"$work/summaries/2026-11-22.n1.stepwell"
	printf '%s\n' "summaries_dir: $work/summaries" \
		"node_catalogue: $work/nodes.csv" \
		>"$work/sweep.yaml"
	printf '%s\n' 'node,cpus,memory_gib,price_per_hour,currency,as_of' \
		'"n[1-4]",16,64,1,EUR,2026-01-08' \
		'n?,16,64,1,EUR,2026-01-08' 'g1,16,64,1,EUR,2026-01-08' \
		'tiny,1,1,1,EUR,2026-01-08' >"$work/nodes.csv"
	for night in 1 2; do
		PATH=$work/bin:$PATH SACCT_JOBS=$work/jobs$night \
			SACCT_WINDOWS=/dev/null STEPWELL_CONF=$work/sweep.yaml \
			"$stepwell" sweep --from 2026-11-2$night \
			--state "$work/nights" --json >"$work/swept" \
			2>/dev/null
	done
	PATH=$work/bin:$PATH SACCT_JOBS=$work/jobs2 SACCT_WINDOWS=/dev/null \
		STEPWELL_CONF=$work/sweep.yaml "$stepwell" sweep --json \
		--from 2026-11-22 --state "$work/nights" --run may \
		>"$work/swept_run" 2>/dev/null
	json sweep/1 "$work/swept"
	json sweep/1 "$work/swept_run"
}

# A night with rows of GPUs, mounts and limits of the steps.
used()
{
	mkdir -p "$work/use"
	mkdir -m 750 "$work/use/sum"
	awk -v midnight="$(date -d 2026-11-21 +%s)" -v summaries="$work/use" \
		-f "$srcdir/test/fixtures/sweep/use.awk" >"$work/use/jobs"
	"$builddir/test/mkprofile" "$work/use/n1" \
		"$work/use/sum/2026-11-21.n1.stepwell"
	echo "summaries_dir: $work/use/sum" >"$work/use.yaml"
	PATH=$work/bin:$PATH SACCT_JOBS=$work/use/jobs \
		SACCT_WINDOWS=/dev/null STEPWELL_CONF=$work/use.yaml \
		"$stepwell" sweep --from 2026-11-21 --state "$work/nights3" \
		--json >"$work/used" 2>/dev/null
	json sweep/1 "$work/used"
}

# Two samples of the same work.
folded()
{
	STEPWELL_HISTORY=$work/folded.sqlite
	for name in s1 s2; do
		"$stepwell" run --no-report --name $name -- \
			sh -c 'head -c 20000000 /dev/zero | md5sum >/dev/null'
	done
	of suggest
	STEPWELL_HISTORY=$work/h.sqlite
}

# A run without one of its programs, beside six that had it.
differing()
{
	mkdir -p "$work/runs"
	kind=usual_fires bytes=900000000
	for number in 1 2 3 4 5 6 7; do
		[ $number -lt 7 ] || kind=fires bytes=450000000
		awk -v identity="$srcdir/test/rules/identity.txt" '
			/^include/ {
				while ((getline line < identity) > 0)
					print line
				next
			}
			{ print }' "$srcdir/test/rules/run.unlike_past/$kind.txt" |
			sed "s/ 1780000000000000/ 178000${number}000000000/" \
				>"$work/run.txt"
		printf '%s\n' '' 'table series.proc step proc' \
			'columns time_usec step rchar wchar' \
			"rows 3 1000000000+30000000 0 0+$bytes 0+$bytes" \
			>>"$work/run.txt"
		"$builddir/test/mkprofile" "$work/run.txt" \
			"$work/runs/run$number.stepwell"
	done
	STEPWELL_HISTORY=$work/differing.sqlite
	"$stepwell" import --quiet "$work/runs"/run[1-6].stepwell
	of diff "$work/runs/run7.stepwell"
	STEPWELL_HISTORY=$work/h.sqlite
}

verbs_with_json()
{
	of explain
	of verify "$work/damaged"
	of dump "$work/story"
	of list "$work/recordings"
	only_for_root
	of import "$work/jobs" "$work/story" "$work/damaged"
	of suggest
	of suggest a/align
	folded
	differing
	of backtest
	swept
	used
	of report 7
	of report 8
	of doctor --root "$work/root"
	of doctor --nodes "$work/answers"
}

# Keys in the source code; failures/ is not used by a verb yet, and is covered
# by check_failure_words.
written()
{
	find "$srcdir/analyzer" -name '*.c' ! -path "$srcdir/analyzer/failures/*" -exec awk '
	function keys(text,   key) {
		while (match(text, call)) {
			key = substr(text, RSTART, RLENGTH)
			text = substr(text, RSTART + RLENGTH)
			sub(/^[^,]*,/, "", key)
			while (match(key, /"[a-zA-Z0-9_]+"/)) {
				print substr(key, RSTART + 1, RLENGTH - 2)
				key = substr(key, RSTART + RLENGTH)
			}
		}
	}
	BEGIN {
		call = "(sw_json_(text|number|seconds|double|bool|object|" \
			"array)|put_text|add_count|add_each|add_parts|add_spread|" \
			"add_widths)\\([^,;]*,[^,;]*"
	}
	FNR == 1 { keys(all); all = "" }
	{ all = all " " $0 }
	END { keys(all) }' {} +
	grep -ohE '"[A-Za-z0-9_]+"\)(,|$)' \
		"$srcdir/analyzer/view/view_fields"*.c | tr -d '"),'
}

# Jobs of 4711 for sacct; the first was OOM-killed.
jobs()
{
	echo 'JobID|JobName|User|Cluster|Partition|State|Start|End|ElapsedRaw|TimelimitRaw|ReqMem|MaxRSS|AllocCPUS|NNodes|NTasks'
	state=OUT_OF_MEMORY
	for day in 01 02 03 04 05 06 07 08 09; do
		printf '%s|align|a|c1|main|%s|%s|%s|3600|1440|16G|2G|8|1|1\n' \
			"10$day" $state "2026-05-${day}T10:00:00" \
			"2026-05-${day}T11:00:00"
		state=COMPLETED
	done
}

mkdir -p "$work/root/etc/slurm" "$work/recordings"
: >"$work/root/etc/slurm/slurm.conf"
cat >"$STEPWELL_CONF" <<END
profile_dir: $work/profiles
prices: {core_hour: 0.02, gib_hour: 0.005, gpu_hour: 1, currency: EUR}
END
cat >"$work/no-slurm/sacct" <<'END'
#!/bin/sh
cat <<'PRINTED'
7|FAILED|1:0|1780000000|1780000600|600|60|8|1||2048M|01:20:00||c1|a|n1||||||5400
7.0|FAILED|1:0|1780000000|1780000600|600||8|1|8||00:01.500|10240K|c1||n1||||||5400
8|FAILED|1:0|1780000000|1780000600|600|60|8|2||2048Mc|01:20:00||c1|a|n[1-2]||||||5400
8.0|FAILED|1:0|1780000000|1780000600|600||4|1|4||00:01.500|10240K|c1||n1||||||5400
PRINTED
END
"$builddir/test/mkprofile" "$srcdir/test/reports/story.txt" "$work/story" &&
	"$builddir/test/mknode" "$work/recordings/c1.9.1780000000.n1.stepwell" \
		1 job=9 uid=12345 &&
	cp "$work/story" "$work/damaged" &&
	printf 'XXXX' | dd of="$work/damaged" bs=1 seek=3000 conv=notrunc \
		2>"$work/err" || exit 99
jobs >"$work/jobs"
printf '%s\n' '{"schema":"stepwell.doctor/1","node":"n1","checks":[{' \
	'"id":"recorder","state":"FAIL","cause":"c","fix":"f"}]}' |
	tr -d '\n' >"$work/answers"

{
	verbs
	findings
	settings
	columns
	full
	verbs_with_json
} | LC_ALL=C sort -u >"$work/list"

# A key in no path was not reached: add it to fulljson or a verb above.
written | LC_ALL=C sort -u >"$work/written"
sed -n 's/^json [^ ]* //p' "$work/list" | sed 's/.*\.//; s/\[\]$//' |
	LC_ALL=C sort -u >"$work/reached"
LC_ALL=C comm -23 "$work/written" "$work/reached" >"$work/unreached"
check 'the code has keys' test "$(wc -l <"$work/written")" -gt 300
check 'each is in a path of the list' test ! -s "$work/unreached"
[ ! -s "$work/unreached" ] || sed 's/^/# /' "$work/unreached"

for kind in verb option finding setting table column json; do
	check "it has each kind: $kind" grep -q "^$kind " "$work/list"
done
[ -z "${UPDATE_GOLDEN-}" ] || cmp -s "$work/list" "$list" ||
	cp "$work/list" "$list"
diff "$list" "$work/list" >"$work/out"
check 'the interface is that of test/interface.list; "make golden" rewrites it' \
	test ! -s "$work/out"

finish
