#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Compare stepwell-slurmdb with sacct, byte for byte: libslurm's database calls
# of both are replaced by test/slurmdb/database.so.  sacct is the installed one,
# or $STEPWELL_SACCT of an unpacked package, with the libraries of both in
# $STEPWELL_SACCT_LIBRARIES, and $STEPWELL_SACCT_LOADER if these have their own
# libc; it must be of the release used for the build.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

slurmdb=$abs_top_builddir/slurmdb/stepwell-slurmdb
database=$abs_top_builddir/test/slurmdb/database.so
sacct=${STEPWELL_SACCT:-sacct}
libraries=${STEPWELL_SACCT_LIBRARIES:-${LD_LIBRARY_PATH-}}
loader=${STEPWELL_SACCT_LOADER:-}
hour=1779998400
if nm -u "$slurmdb" | grep -q __asan; then
	echo "# skipped: what is preloaded would come before the sanitizer"
	exit 77
fi
mkdir "$work/plugins"
# Neither loads a plugin; both require the folder.
printf '%s\n' ClusterName=c1 SlurmctldHost=localhost NodeName=n1 \
	AccountingStorageType=accounting_storage/slurmdbd \
	"PluginDir=$work/plugins" \
	'PartitionName=p Nodes=n1 Default=YES' >"$work/slurm.conf"
export SLURM_CONF=$work/slurm.conf SLURM_TIME_FORMAT=%s SLURM_BITSTR_LEN=0
export LC_ALL=C

# with_database PROGRAM ARGUMENT...
with_database()
{
	if [ -n "$loader" ]; then
		"$loader" --library-path "$libraries" --preload "$database" "$@"
	else
		LD_LIBRARY_PATH=$libraries LD_PRELOAD=$database "$@"
	fi
}

# release PROGRAM: "22.05"
release()
{
	with_database "$1" --version 2>&1 |
		sed -n 's/.* \([0-9]*\.[0-9]*\)\.[^ ]*$/\1/p'
}

# ask PROGRAM FROM UNTIL COLUMNS: run it with the options that stepwell uses
ask()
{
	DATABASE_LOG=$work/log with_database "$1" --allusers --duplicates \
		--parsable2 --noheader --noconvert \
		--state BF,CA,CD,DL,F,NF,OOM,PR,RQ,RS,RV,TO \
		--delimiter=$'\x1fabc' --starttime "uts$2" --endtime "uts$3" \
		--format "$4" 2>"$work/messages"
}

ask "$slurmdb" $hour $((hour + 3600)) JobIDRaw,State >"$work/ids"
is "it ends well, without a message" "0 " "$? $(cat "$work/messages")"
is "an hour is one window of ended jobs, with all their runs" \
	"$hour $((hour + 3600)) flags 5:1 clusters 1 states 9 4 3 10 5 7 11 8 1024 8192 524288 6" \
	"$(cat "$work/log")"
rm "$work/log"
ask "$slurmdb" $hour $((hour + 7300)) JobIDRaw >"$work/all"
is "more are several, which do not overlap" \
	"$hour $((hour + 3600)) $((hour + 3601)) $((hour + 7201)) $((hour + 7202)) $((hour + 7300))" \
	"$(cut -d ' ' -f 1,2 "$work/log" | paste -sd ' ')"
is "and have each job once" "400 400" \
	"$(grep -vc '[.]' "$work/all") $(grep -v '[.]' "$work/all" | sort -u | wc -l)"
with_database "$slurmdb" --starttime 12 2>"$work/messages"
is "a time of another form is refused" \
	"2 stepwell-slurmdb: error: 12 is not a time like uts1780000000" \
	"$? $(cat "$work/messages")"

if ! command -v "$sacct" >/dev/null; then
	echo "# skipped: no sacct to compare with"
elif [ "$(release "$sacct")" != "$(release "$slurmdb")" ]; then
	echo "# skipped: sacct is of $(release "$sacct")," \
		"stepwell-slurmdb of $(release "$slurmdb")"
else
	columns=$(with_database "$slurmdb" --helpformat | paste -sd ,)
	rm "$work/log"
	ask "$sacct" $hour $((hour + 3600)) "$columns" >"$work/sacct"
	ask "$slurmdb" $hour $((hour + 3600)) "$columns" >"$work/slurmdb"
	is "sacct asks the same" 1 "$(sort -u "$work/log" | wc -l)"
	yes_ "sacct prints jobs" test -s "$work/sacct"
	yes_ "sacct prints the same bytes" cmp "$work/sacct" "$work/slurmdb"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
