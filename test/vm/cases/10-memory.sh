# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory need and OOM kills, with a kernel that has every controller.
# as: root alice
# timeout: 1200
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by run-cases}"

mib=$((1 << 20))

record hold w_hold 23 7 3 --exec --truth "$truth"
is "$status" 0 "w_hold runs"
is "$(query 'r["recording"]["backend"]')" cgroup.v2 \
	"the best backend is used"
is "$(query 'r["recording"].get("programs_source")')" \
	"$([ "$CASE_AS" = root ] && echo bpf || echo proc)" \
	"programs are seen by the best source"
anonymous=$(of_truth anonymous_bytes)
[ "$anonymous" != missing ] || anonymous=$(of_truth held_bytes)
need=$(query 's["memory"]["need_bytes"]')
# Page tables, stacks and slab of eight processes are need, too.
is_between "$need" $((anonymous - mib)) $((anonymous * 102 / 100 + 4 * mib)) \
	"7 x 23 MiB held are the need (truth $anonymous)"

# need_of: get the values of the last report, for the checks and for the reader
need_of()
{
	need=$(query 's["memory"]["need_bytes"]')
	upper=$(query 's["memory"]["need_upper_bytes"]')
	source=$(query 's["memory"]["need_source"]')
}

# holds_spike WHAT MORE: the interval contains the truth.  Apart from the spike,
# the need of page tables, libc's data and other processes is no more than MORE
# MiB.
holds_spike()
{
	spike=$(of_truth spike_bytes "$CASE_OUT/spike.truth")
	is "$spike" $((300 * mib)) "$1: it was 300 MiB"
	need_of
	is_between "$need" 0 $((spike + $2 * mib)) \
		"$1: the low end is no more than was needed"
	is_between "$upper" "$spike" $((100 * 1024 * mib)) \
		"$1: the high end holds the spike"
	is "$(query 's["memory"]["need_is_lower_bound"]')" False \
		"$1: nothing says that it needed more"
	diag "$1: $spike touched, need $need ($source) to $upper"
}

# After 2.5 s there is one sample a second, and a spike of 50 ms lies between
# two: only the high-water mark of its process contains it.
spike_command=(w_spike 300 50 --before-ms 2500 --truth "$CASE_OUT/spike.truth")
record spike "${spike_command[@]}"
is "$status" 0 'a spike: the command runs'
holds_spike 'a spike' 8
is_between "$need" $((spike - mib)) $((spike + 8 * mib)) \
	'a spike: the low end holds it too'

rm -f "$CASE_OUT/spike.truth"
record child "${spike_command[@]}" --child
is "$status" 0 'a spike in a child: the command runs'
holds_spike 'a spike in a child' 8

# make_files FOLDER MIB: create four, not in the page cache.  Owned by the user,
# or the kernel would not report which of their pages are cached.
make_files()
{
	local i

	mkdir "$1"
	for i in 1 2 3 4; do
		dd if=/dev/zero of="$1/$i" bs=1M count="$2" status=none
		chown "$CASE_AS" "$1/$i"
	done
	sync
}

# Read each file N times, each time from disk.
# shellcheck disable=SC2016
reader='for file in "$1"/*; do
	w_read "$file" "$2" --drop-cache --truth "$3" || exit 1
done'

# sum_of_truth KEY: print that of all files that were read
sum_of_truth()
{
	tr ' ' '\n' <"$truth" | awk -F= -v key="$1" '
		$1 == key { sum += $2 } END { printf "%.0f\n", sum }'
}

# record_reader NAME FOLDER TIMES WHAT
record_reader()
{
	record "$1" sh -c "$begin$reader" sh "$2" "$3" "$truth"
	is "$status" 0 "$4: the command runs"
	is "$(sum_of_truth read_bytes)" $((2048 * mib)) "$4: 2 GiB are read"
	# The kernel may keep a page in use when it drops the others.
	is_between "$(sum_of_truth cold_bytes)" $((2032 * mib)) \
		$((2048 * mib)) "$4: they come from the disk"
	need_of
}

# is_no_need CACHE_BYTES WHAT: check that page cache left by the reader is no
# need, compared with a run that read the same through 4 MiB of it
is_no_need()
{
	is_between "$need" $((256 * 1024)) $((small_need + 4 * mib)) \
		"$2: the low end is not raised"
	is_between "$upper" "$1" $((2100 * mib)) \
		"$2: the high end holds the page cache"
	is_between "$(query 's["memory"]["cache_bytes"]')" "$1" \
		$((2100 * mib)) "$2: the page cache is told apart"
	is "$(query 's["memory"]["need_is_lower_bound"]')" False \
		"$2: a peak of page cache is no sign of a larger need"
	is "$(finding memory.near_limit 'f["sentence"]')" None \
		"$2: it was not near its limit"
	diag "$2: need $need ($source) to $upper, with little cache $small_need"
	diag "$2: stood still for memory" \
		"$(query 's["pressure"]["memory_full_seconds"]') s"
}

begin=
small=$CASE_OUT/small
large=$CASE_OUT/large
make_files "$small" 1
make_files "$large" 512
record_reader small "$small" 512 'a reader of small files'
small_need=$need
record_reader large "$large" 1 'a reader'
is_no_need $((1900 * mib)) 'a reader'
record_options=(--memory-max 1G)
record_reader limited "$large" 1 'a reader in 1 GiB'
is_no_need $((900 * mib)) 'a reader in 1 GiB'
is "$(query 's["memory"]["limit_bytes"]')" $((1024 * mib)) \
	'a reader in 1 GiB: the limit is known'
record_options=()
# shellcheck disable=SC2016
begin='cgroup=/sys/fs/cgroup$(grep ^0:: /proc/self/cgroup | cut -d: -f3)
	echo 1G >"$cgroup/memory.max" || exit 1
	'
record_reader own-limit "$large" 1 'a reader in 1 GiB of its own'
is_no_need $((900 * mib)) 'a reader in 1 GiB of its own'
is_between "$(query 's["memory"]["limit_hits"]')" 1 1000000 \
	'a reader in 1 GiB of its own: it comes to the limit'

# The reader runs until the spike is over, so that they overlap.
# shellcheck disable=SC2016
beside='folder=$1 truth=$2 spike_truth=$3 reader=$4
	shift 4
	until [ -e "$spike_truth" ]; do
		sh -c "$reader" sh "$folder" 1 "$truth" || exit 1
	done &
	reader_pid=$!
	"$@" && wait "$reader_pid"'
for limit in infinity 1G; do
	what='a spike beside a reader'
	[ $limit = infinity ] || what="$what in 1 GiB"
	record_options=(--memory-max "$limit")
	rm -f "$CASE_OUT/spike.truth"
	record "beside-$limit" sh -c "$beside" sh "$large" "$truth" \
		"$CASE_OUT/spike.truth" "$reader" "${spike_command[@]}"
	is "$status" 0 "$what: the command runs"
	is_between "$(sum_of_truth read_bytes)" $((2048 * mib)) \
		$((1024 * 1024 * mib)) "$what: at least 2 GiB are read"
	is_between "$(of_truth spike_begin_usec "$CASE_OUT/spike.truth")" \
		"$(head -n 1 "$truth" | of_truth begin_usec /dev/stdin)" \
		"$(of_truth end_usec)" "$what: they run at the same time"
	holds_spike "$what" 16
	is_between "$need" $((spike - mib)) $((spike + 16 * mib)) \
		"$what: the low end holds it too"
	is_between "$upper" $((900 * mib)) $((3072 * mib)) \
		"$what: the high end holds the page cache"
	is "$(query 's["memory"]["oom_kills"]')" 0 "$what: nothing is killed"
done
rm -rf "$small" "$large"

# says_oom ID WHAT: check the finding, with all necessary details
says_oom()
{
	local id=$1 what=$2 sentence program killed_usec peak recorder

	is "$(query 'r["findings"][0]["id"]')" "$id" "$what: $id comes first"
	is "$(finding "$id" 'f["severity"]')" critical \
		"$what: it is critical"
	sentence=$(finding "$id" 'f["sentence"]')
	diag "$sentence"
	program='w_oom'
	[ "$CASE_AS" = root ] || program='probably w_oom'
	matches "$sentence" "killed 1 process \\($program\\)" \
		"$what: the program is named"
	is "$(finding "$id" 'f["subject"]')" 'program w_oom' \
		"$what: it is about that program"
	matches "$sentence" ' [0-9.]+ m?s into the run' "$what: so is the time"
	matches "$sentence" 'at the limit of 100 MiB' "$what: so is the limit"
	peak=$(query 's["memory"]["peak_bytes"]')
	# The recorder is under the limit as well: its own peak, while it loads
	# BPF, and its maps.
	recorder=$(query 'r["recording"]["recorder_peak_bytes"]')
	is_between "$peak" $((85 * mib - recorder)) $((100 * mib)) \
		"$what: the peak is what the limit left to it"
	is_between "$recorder" 1 $((48 * mib)) \
		"$what: to which the recorder left most"
	matches "$sentence" "at a peak of $(awk -v bytes="$peak" \
		'BEGIN { printf "%.1f", bytes / 1048576 }') MiB" \
		"$what: so is the peak"
	is "$(finding "$id" '[e["threshold"] for e in f["evidence"]
			if e["counter"] == "memory.peak"]')" \
		"[$((100 * mib))]" "$what: limit and peak are evidence"
	killed_usec=$(finding "$id" '[int(e["when"] * 1e6) for e in f["evidence"]
			if e["counter"] == "memory.events oom_kill"][0]')
	is_near "$killed_usec" "$(of_truth end_usec)" 0 500000 \
		"$what: and its time is that of the kill"
	is "$(query 's["memory"]["need_is_lower_bound"]')" True \
		"$what: the need is a lower bound"
	matches "$(tr -s ' \n' ' ' <"$text")" "killed 1 process \\($program\\)" \
		"$what: the text says so"
}

record_options=(--memory-max 100M)
record silent w_oom 300 --child --pace-ms 20 --truth "$truth"
is "$status" 0 'a child is killed for memory: the command exits 0'
is "$(of_truth signal)" 9 'a child is killed for memory: it was'
says_oom oom.silent 'a child is killed for memory'
matches "$(finding oom.silent 'f["sentence"]')" 'output may be incomplete' \
	'a child is killed for memory: it says what that means'
record killed w_oom 300 --pace-ms 20 --truth "$truth"
is "$status" 137 'the command is killed for memory: status 137'
says_oom oom.killed 'the command is killed for memory'

finish
