#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Waits of threads compared with programs that wait in one known way: on FUSE
# mounts and disks that respond after 100 ms, and without I/O. Prints a table;
# each row that differs from the known truth is a failure.
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/mounts-lib.sh"
. "$top/test/lib.sh"
. "$top/test/fuse-lib.sh"
export STEPWELL_LIBEXECDIR=$abs_top_builddir/recorder
waiter=$abs_top_builddir/test/workloads/w_wait
at_once=6
loop=
finish()
{
	# A disk with pending writes would outlive its file's server.
	[ -z "$loop" ] || kill -USR1 "$disk_server" 2>/dev/null
	umount "$work/ext4" 2>/dev/null
	if [ -n "$loop" ]; then
		sync "$loop"
		losetup -d "$loop"
		await sh -c "! losetup '$loop'"
	fi
	unstall_all
	clean
}
trap finish EXIT
has_fuse || {
	echo "skip: no FUSE file system can be mounted here"
	exit 77
}

# slow NAME OPS [BYTES]: mount with OPS that take 100 ms, and a file "data"
slow()
{
	mkdir "$work/$1"
	stall "$work/$1" --delay "$2=100" --file "data=${3:-16777216}"
}

slow read read
slow write write
slow open open
slow stat getattr,lookup
slow fsync fsync

# Create a file system on an equally slow disk in a file.  It responds at once
# while it is created (SIGUSR1), and slowly from then on.
make_disk()
{
	slow disk read,write,fsync 67108864
	disk_server=$fuse_server
	kill -USR1 "$disk_server"
	loop=$(losetup --find --show "$work/disk/data" 2>/dev/null) ||
		return 1
	mkdir "$work/ext4"
	mkfs.ext4 -q -O ^has_journal -E nodiscard,lazy_itable_init=0 "$loop" \
		>/dev/null 2>&1 &&
		mount "$loop" "$work/ext4" &&
		head -c 33554432 /dev/urandom >"$work/ext4/data" &&
		sync -f "$work/ext4/data" || return 1
	echo 1 >/proc/sys/vm/drop_caches
	kill -USR2 "$disk_server"
}

# start CASE NAME FILE: record the program that waits in this way
start()
{
	XDG_STATE_HOME=$work/state.$1 "$stepwell" run --period 100ms -- \
		"$waiter" "$2" "$3" $seconds >"$work/share.$1" \
		2>"$work/said.$1" </dev/null &
}

# row FILE KIND FS COLUMN: print the sum of the last values of rows of a kind,
# those of I/O selected by the first word of their file system
row()
{
	"$stepwell" dump "$1" | awk -F '\t' -v kind="$2" -v fs="$3" \
		-v column="$4" '
		/^# table / { split($0, word, /[ ,]/); table = word[3]
			      header = 1; next }
		/^$/ { table = "" }
		header && table != "" {
			for (i = 1; i <= NF; i++)
				at[$i] = i
			header = 0; next }
		table == "subjects" && $(at["source"]) == "waits" {
			s = $(at["subject"])
			kinds[s] = $(at["kind"])
			of[s] = $(at["detail"])
			if (of[s] == "-")
				of[s] = $(at["name"]) }
		table == "series.waits" { last[$(at["subject"])] = $(at[column]) }
		END { for (s in last)
			if (kinds[s] == kind && index(of[s], fs) == 1)
				sum += last[s]
		      print sum + 0 }'
}

# compare CASE KIND FS: set $verdict by comparing the recording with the truth,
# and $line, a row of the table.  Within a call it may have been runnable
# without a CPU, which is not this kind of wait.
compare()
{
	local file share queued took some

	file=$(newest "$work/state.$1/stepwell")
	read -r _ share _ queued _ took <"$work/share.$1"
	some=$(row "$file" "$2" "$3" some_usec)
	io=$(row "$file" all "" some_usec)
	backend=$("$stepwell" dump "$file" |
		sed -n 's/^# table series.waits, source \([^,]*\).*/\1/p')
	verdict=$(awk -v kind="$2" -v some="$some" -v io="$io" \
		-v share="${share:-none}" -v queued="${queued:-0}" \
		-v seconds="${took:-$seconds}" 'BEGIN {
		got = some / 1e6 / seconds
		all = io / 1e6 / seconds
		if (share == "none")
			word = "no truth"
		else if (kind == "none")
			word = all < 0.02 ? "right" : "WRONG"
		else if (got < share - queued - 0.15 || got > share + 0.15)
			word = "WRONG"
		else if (kind != "io" && all >= 0.02)
			word = "WRONG"
		else
			word = "right"
		printf "%s\t%.2f\t%.2f", word, got, all }')
	line=$(printf '%s\t%s\t%s\t%s\t%s\t%s\t%s' "$1" "${share:-?}" \
		"${queued:-?}" "$verdict" "$2" "${3:--}" "$backend")
	verdict=${verdict%%	*}
}


cases=()
add()
{
	local IFS='|'

	cases+=("$*")
}

for name in read sequential direct mmap; do
	add "fuse-$name" $name io fuse "$work/read/data"
done
add fuse-open open io fuse "$work/open/data"
add fuse-stat stat io fuse "$work/stat/data"
add fuse-write write io fuse "$work/write/data"
add fuse-fsync fsync io fuse "$work/fsync/data"
# Only the kernel knows which file system it is.
add fuse-io_uring io_uring io "" "$work/read/data"
add fuse-thread thread io fuse "$work/read/data"
if make_disk; then
	add disk-direct direct io "" "$loop"
	add disk-read read io "" "$loop"
	add disk-fsync fsync io "" "$loop"
	add ext4-direct direct io ext4 "$work/ext4/data"
	add ext4-libaio libaio io "" "$work/ext4/data"
else
	echo "ok - skip: no loop device with ext4 here"
fi
add pipe pipe pipe "" -
add unix unix network "" -
add tcp tcp network "" -
add futex futex lock "" -
add sleep sleep sleep "" -
add select select sleep "" -
add poll poll sleep "" -
add epoll epoll poll "" -
add wait4 wait4 child "" -
add busy busy none "" -
add eventfd eventfd poll "" -
add flock flock lock "" "$work/fsync/data"

# Record all of a batch concurrently: they hardly use the CPU.
record_batch()
{
	local case label name file pids=()

	for case in "$@"; do
		IFS='|' read -r label name _ _ file <<<"$case"
		rm -rf "$work/state.$label"
		start "$label" "$name" "$file"
		pids+=($!)
	done
	wait "${pids[@]}"
}

# On a loaded machine three seconds give few samples: repeat wrong cases with
# more time, and count that result.
run_batch()
{
	local case label kind fs again=()

	seconds=3
	record_batch "$@"
	for case in "$@"; do
		IFS='|' read -r label _ kind fs _ <<<"$case"
		compare "$label" "$kind" "$fs"
		[ "$verdict" = right ] || again+=("$case")
	done
	seconds=20
	[ ${#again[@]} -eq 0 ] || record_batch "${again[@]}"
	for case in "$@"; do
		IFS='|' read -r label _ kind fs _ <<<"$case"
		compare "$label" "$kind" "$fs"
		echo "$line" >>"$work/table"
		is "$label: $kind${fs:+ of $fs}" right "$verdict"
	done
}

for ((i = 0; i < ${#cases[@]}; i += at_once)); do
	run_batch "${cases[@]:i:at_once}"
done

echo
(printf 'case\tdid\tqueued\tverdict\tsaw\tio\tkind\tof\tsource\n'
	cat "$work/table") | expand -t 16,22,29,37,43,49,59,67 | sed 's/^/# /'
tally
