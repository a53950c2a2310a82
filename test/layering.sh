#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The arrows between the folders: includes, undefined symbols and DT_NEEDED.
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${abs_top_builddir:=$abs_top_srcdir}"
passed=0
failed=0

result()
{
	# $1: what; $2: the offenders, empty where all is well
	if [ -z "$2" ]; then
		passed=$((passed + 1))
		echo "ok - $1"
	else
		failed=$((failed + 1))
		echo "not ok - $1"
		printf '%s\n' "$2" | sed 's/^/#   /'
	fi
}

# Folders that a folder may include from: DESIGN's arrows.
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
		grep -nE '^#include "[a-z]+/' "$folder"/*.[ch] |
		grep -vE "#include \"($allowed)[/.]")"
}

# A foreign library's header lives in one file.
one_user()
{
	result "only $2 includes <$1>" "$(
		cd "$abs_top_srcdir" &&
		grep -lE "#include <$1>" common/* profiles/* recorder/* \
			advice/* analyzer/* 2>/dev/null | grep -vE "^($2)\$")"
}

may_include common
may_include profiles common
may_include recorder profiles common
may_include advice common
may_include analyzer advice profiles common
may_include spank recorder/protocol common
one_user 'zstd\.h' 'profiles/(encoder|reader_internal)\.[ch]'
one_user 'hwloc\.h' 'recorder/topology\.c'
one_user 'json-c/.*' 'analyzer/json\.c'
one_user 'yaml\.h' 'analyzer/settings_internal\.h'
one_user 'sqlite3\.h' 'analyzer/history_internal\.h'
one_user 'zlib\.h' 'analyzer/records\.c'
one_user 'linux/perf_event\.h' \
	'recorder/(perf_(events|ring)\.c|pmu\.h|pmu_names\.h)'
one_user 'perfmon/.*' 'recorder/pmu_names\.c'
one_user 'dlfcn\.h' 'recorder/nvml\.c'
one_user 'bpf/.*' \
	'recorder/((tools|net)_bpf|bpf_task|exec_load|snapshot|waits|(exec|net|snapshot|waits)\.(bpf|skel))\.[ch]'

# What runs inside other people's jobs never ends the process by itself.
undefined_in()
{
	nm -A -u "$abs_top_builddir/$1" 2>/dev/null |
		grep -E ' U (abort|exit|__assert_fail|system|popen)(@|$)'
}

if nm -u "$abs_top_builddir/profiles/libprofiles.a" 2>/dev/null |
   grep -q __asan; then
	echo "ok - skip: symbols of a sanitized build are not the product's"
else
	result "profiles/ never ends the process" \
		"$(undefined_in profiles/libprofiles.a)"
	result "recorder/ never ends the process by assert, abort or exit" \
		"$(undefined_in recorder/librecorder.a)"
	result "stepwell-recorder needs no more than libc, zstd, libbpf, hwloc and libpfm" "$(
		readelf -d "$abs_top_builddir/recorder/stepwell-recorder" |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		grep -vE '^(libc|libdl|libm|libzstd|libbpf|libelf|libz|libhwloc|libpfm)\.so' |
		grep -v '^ld-linux')"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
