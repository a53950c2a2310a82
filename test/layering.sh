#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Check dependencies between the folders: includes, undefined symbols and
# DT_NEEDED.
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${abs_top_builddir:=$abs_top_srcdir}"
passed=0
failed=0

result()
{
	# $1: what; $2: the violations, empty if there are none
	if [ -z "$2" ]; then
		passed=$((passed + 1))
		echo "ok - $1"
	else
		failed=$((failed + 1))
		echo "not ok - $1"
		printf '%s\n' "$2" | sed 's/^/#   /'
	fi
}

# Folders that a folder may include from: the arrows of DESIGN.
may_include()
{
	folder=$1
	shift
	allowed=$folder
	for other in "$@"; do
		allowed="$allowed|$other"
	done
	result "$folder/ includes only from: $folder $*" "$(
		cd "$abs_top_srcdir" &&
		grep -rnE '^#include "[a-z]+/' --include='*.[ch]' "$folder" |
		grep -vE "#include \"($allowed)[/.]")"
}

# The arrows are read from the paths, so all our includes must be written in the
# same way: by their path from the top of the sources.
result "includes are written \"FOLDER/...\", from the top" "$(
	cd "$abs_top_srcdir" &&
	own='(common|profiles|recorder|advice|analyzer|spank|contrib|slurmdb)/'
	grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*(\"|<($own|\.))" \
		--include='*.[ch]' common profiles recorder advice analyzer \
		spank contrib slurmdb |
	grep -vE ":#include \"(${own}[^.]+\.(skel\.)?h|config\.h)\"")"

# Rooms of a folder, callers first: a room may include from itself and from
# later ones.
rooms_recorder='run daemon jobs delivery sampler stacks sources/step sources/node
	sources/gpu sources/pmu sources programs bpf topology tables processes
	waits cgroup kernel log'
rooms_analyzer='verbs list sweep/views sweep/page sweep/gather sweep/worse
	sweep/night doctor backtest import diff report/json report/html report/text
	report
	suggest script dialects requests settings rules nodes traces history grouping
	recordings job summaries trust failures retries records accounting
	compare view series print html keyed'

# upward FOLDER ROOM...: list includes from an earlier room, as FILE:LINE, and
# files that are in no room
upward()
{
	folder=$1
	shift
	# shellcheck disable=SC2016
	find "$abs_top_srcdir/$folder" -name '*.[ch]' ! -name '*.skel.h' |
		sort | xargs awk -v top="$abs_top_srcdir/" \
			-v folder="$folder" -v rooms="$*" '
		# Return the room of a path: "" for a file of the folder itself.
		function room(path) {
			sub("^" folder "/", "", path)
			return sub("/[^/]*$", "", path) ? path : ""
		}
		BEGIN {
			count = split(rooms, list, /[ \t\n]+/)
			for (i = 1; i <= count; i++)
				place[list[i]] = i
		}
		FNR == 1 {
			file = FILENAME
			sub("^" top, "", file)
			own = room(file)
			if (own != "" && !(own in place))
				print file ": in no room that is known"
			if (own == "" && file != folder "/main.c")
				print file ": belongs in a room"
		}
		/^[ \t]*#[ \t]*include "/ {
			split($0, part, "\"")
			if (index(part[2], folder "/") != 1 || own == "")
				next
			other = room(part[2])
			if (!(other in place) || place[other] < place[own])
				print file ":" FNR ": " part[2]
		}'
}

# circles: files of a room that call each other, or headers that include each
# other, however far around, so that none of them can be read first.  A function
# that is handed on or stands in a table is called, too; a row in a table of
# structures is not.
circles()
{
	cd "$abs_top_srcdir" || return
	# shellcheck disable=SC2046
	set -- $(find common profiles recorder advice analyzer spank \
		contrib slurmdb -name '*.[ch]' ! -name '*.bpf.c' \
		! -name '*.skel.h')
	# shellcheck disable=SC2069
	awk '
		function room(path) {
			sub("/[^/]*$", "", path)
			return path
		}
		# What is left of a line without its comments.
		function code(line,  end) {
			gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", line)
			if (is_comment) {
				end = index(line, "*/")
				if (!end)
					return ""
				is_comment = 0
				line = substr(line, end + 2)
			}
			if ((end = index(line, "/*"))) {
				is_comment = 1
				line = substr(line, 1, end - 1)
			}
			# A structure may have the name of a function.
			gsub(/(struct|enum|union) sw_[a-z0-9_]+/, "", line)
			return line
		}
		# All files come twice: what they define, then what they call.
		FNR == 1 && FILENAME in seen { calls = 1 }
		FNR == 1 { seen[FILENAME] = 1; is_comment = 0 }
		FILENAME ~ /\.h$/ {
			if (calls && /^[ \t]*#[ \t]*include "/) {
				split($0, part, "\"")
				if (room(part[2]) == room(FILENAME))
					print FILENAME, part[2]
			}
			next
		}
		!calls && /^([a-z].*[ *])?sw_[a-z0-9_]+\(/ && !/^static|;$/ {
			match($0, /sw_[a-z0-9_]+\(/)
			home[substr($0, RSTART, RLENGTH - 1)] = FILENAME
		}
		calls {
			line = code($0)
			if (line !~ /^[ \t]/)
				next
			while (match(line, /sw_[a-z0-9_]+/)) {
				name = substr(line, RSTART, RLENGTH)
				before = substr(line, RSTART - 1, 1)
				line = substr(line, RSTART + RLENGTH)
				to = before ~ /[A-Za-z0-9_]/ ? "" : home[name]
				if (to != "" && to != FILENAME &&
				    room(to) == room(FILENAME))
					print FILENAME, to
			}
		}' "$@" "$@" | sort -u | tsort 2>&1 >/dev/null
}

# A second reader of a process' file "stat": who names it, or looks for the
# bracket behind the name in it.  Others of this name are the machine's, and the
# program stat(1) of the rules.
second_stat_readers()
{
	cd "$abs_top_srcdir" &&
	grep -rnE \
		-e '["/]stat"' \
		-e "(str|mem)r?chr\(.*'\)'" \
		-e '"\) ?%(\*)?c' -e '\(%\*?[0-9]*\[' \
		--include='*.[ch]' common profiles recorder advice analyzer \
		spank contrib slurmdb |
	grep -vE '^(common/proc_stat\.[ch]|recorder/sources/node/src_node\.c):' |
	grep -vE '^analyzer/(rules|view)/.*[^/]"stat"'
}

# What is done in one file: $1 is only in $2.
one_home()
{
	result "only $2 has $1" "$(
		cd "$abs_top_srcdir" &&
		grep -rnE "$1" --include='*.[ch]' common profiles recorder \
			advice analyzer spank contrib slurmdb |
		grep -vE "^($2):")"
}

# A foreign library's header lives in one file.
one_user()
{
	result "only $2 includes <$1>" "$(
		cd "$abs_top_srcdir" &&
		grep -rlE "#include <$1>" common profiles recorder advice \
			analyzer slurmdb | grep -vE "^($2)\$")"
}

may_include common
may_include profiles common
may_include recorder profiles common
may_include advice common
may_include analyzer advice profiles common
may_include spank common
may_include contrib common
may_include slurmdb
# shellcheck disable=SC2086
result "recorder/: rooms include downwards only" \
	"$(upward recorder $rooms_recorder)"
# shellcheck disable=SC2086
result "analyzer/: rooms include downwards only" \
	"$(upward analyzer $rooms_analyzer)"
# Where two headers have one guard, the second that is included is empty.
result "each header has a guard of its own" "$(
	cd "$abs_top_srcdir" &&
	find common profiles recorder advice analyzer spank contrib slurmdb test \
		bench -name '*.h' ! -name '*.skel.h' -exec \
		grep -hE '^#ifndef SW_[A-Z0-9_]*_H$' {} + | sort | uniq -d)"
# A list of callers is never whole for long: the order of the rooms has them.
result "no room's README lists who calls it" "$(
	cd "$abs_top_srcdir" &&
	grep -rnE '^[-* ]*Call(ed by|s):' --include='README*' recorder analyzer)"
# A rule or a dialect that no list names would be left out without a word.
result "each source file is compiled" "$(
	cd "$abs_top_srcdir" && {
		find . -name Makefile.inc -exec cat {} + | tr -s ' \t\\' '\n'
		echo sources:
		find advice analyzer common profiles recorder spank -name '*.c'
	} | awk '$0 == "sources:" { is_source = 1; next }
		!is_source { is_listed[$0] = 1; next }
		!($0 in is_listed) { print $0 ": in no Makefile.inc; a rule " \
			"belongs in ANALYZER_RULES, a dialect in " \
			"ANALYZER_DIALECTS" }')"
result "within a room no two files call or include each other" "$(circles)"
result "only common/proc_stat.c reads the file stat of a process" \
	"$(second_stat_readers)"
# The nodes that scontrol shows, a hash that files keep, ticks of the clock.
one_home '"scontrol", *"show"' 'analyzer/nodes/slurm_nodes\.c'
one_home '0x(0*100000001b3|cbf29ce484222325)' \
	'analyzer/keyed/keyed\.[ch]|recorder/bpf/spins\.bpf\.c'
one_home '_SC_CLK_TCK' 'common/clock\.[ch]'
# What sacct prints is read in one room: who divides lines at "|", or names sacct's
# fields, elsewhere, reads them for a second time.  gather_jobs.c reads squeue,
# trace_rows.c the other names of a column.
result "lines of sacct are divided in analyzer/accounting/ alone" "$(
	cd "$abs_top_srcdir" &&
	grep -rnE "'\\|'|(strtok(_r)?|strsep|strcspn|strpbrk)\([^;\"]*\"[^\"]*\\|[^\"]*\"" \
		--include='*.[ch]' analyzer |
	grep -vE '^analyzer/(accounting/|sweep/gather/gather_jobs\.c|traces/trace_rows\.c)')"
fields='JobIDRaw|ElapsedRaw|TimelimitRaw|DerivedExitCode|AllocTRES|TRESUsageInTot'
result "the fields of sacct are named in analyzer/accounting/ alone" "$(
	cd "$abs_top_srcdir" &&
	grep -rnE "\"[^\"]*($fields)" --include='*.[ch]' analyzer |
	grep -v '^analyzer/accounting/')"
one_user 'zstd\.h' 'profiles/(encoder|reader_internal)\.[ch]'
one_user 'hwloc\.h' 'recorder/topology/topology\.c'
one_user 'json-c/.*' 'analyzer/print/json\.c'
one_user 'yaml\.h' 'common/yaml_walk\.h'
one_user 'sqlite3\.h' 'analyzer/history/history_internal\.h'
one_user 'zlib\.h' 'analyzer/traces/records\.c'
one_user 'slurm/.*' 'slurmdb/slurm_calls\.h'
one_user 'linux/perf_event\.h' \
	'recorder/(bpf/(polls|spins)\.c|programs/perf_(events|ring)\.c|sources/pmu/pmu(_names)?\.h)'
one_user 'perfmon/.*' 'recorder/sources/pmu/pmu_names\.c'
one_user '(elfutils/.*|dwarf\.h)' 'recorder/stacks/stack_main\.c'
one_user 'papi\.h' 'recorder/sources/pmu/papi_library\.c'
one_user 'dlfcn\.h' 'recorder/sources/(gpu/nvml|pmu/papi_library)\.c'
one_user 'bpf/.*' \
	'recorder/(programs/programs_bpf|bpf/(net_bpf|polls|bpf_failures|bpf_failures_share|bpf_names|bpf_task|exec_load|failures|snapshot|spins|waits|waits_load|(exec|failures|net|polls|snapshot|spins|waits)\.(bpf|skel)))\.[ch]'

# List names defined by two files of a library: the linker silently uses one of
# them for both.
defined_twice_in()
{
	nm -g --defined-only "$abs_top_builddir/$1" 2>/dev/null |
		awk 'NF == 3 && $2 ~ /^[TDBR]$/ { print $3 }' | sort | uniq -d
}

for library in advice/libadvice.a analyzer/libanalyzer.a common/libcommon.a \
	profiles/libprofiles.a recorder/librecorder.a; do
	result "$library defines each name once" "$(defined_twice_in $library)"
done

# List variables of a library that can change: pure code has no state.
changing_in()
{
	objdump -t "$abs_top_builddir/$1" 2>/dev/null | awk '
		/file format/ { file = $1 }
		/ O (\.t?(data|bss)[^ \t]*)[ \t]/ && !/\.data\.rel\.ro/ {
			print file " " $NF
		}'
}

# Code that runs inside other people's jobs must never end the process.
undefined_in()
{
	nm -A -u "$abs_top_builddir/$1" 2>/dev/null |
		grep -E ' U (abort|exit|__assert_fail|system|popen)(@|$)'
}

if nm -u "$abs_top_builddir/profiles/libprofiles.a" 2>/dev/null |
   grep -q __asan; then
	echo "ok - skip: symbols of a sanitized build are not the product's"
else
	for library in advice/libadvice.a analyzer/libanalyzer.a \
		common/libcommon.a; do
		result "$library has no variable that can change" \
			"$(changing_in $library)"
	done
	result "profiles/ never ends the process" \
		"$(undefined_in profiles/libprofiles.a)"
	result "recorder/ never ends the process by assert, abort or exit" \
		"$(undefined_in recorder/librecorder.a)"
	result "stepwell-recorder needs no more than libc, zstd, libbpf, hwloc, libyaml and libpfm" "$(
		readelf -d "$abs_top_builddir/recorder/stepwell-recorder" |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		grep -vE '^(libc|libdl|libm|libzstd|libbpf|libelf|libz|libhwloc|libyaml-0|libpfm)\.so' |
		grep -v '^ld-linux')"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
