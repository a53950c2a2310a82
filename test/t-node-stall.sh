#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The file system that a step waited for most, in its row of the node's
# summaries: by the node's mount, never by a name that the user chose.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/mounts-lib.sh"
. "$top/test/lib.sh"
. "$top/test/node-lib.sh"
. "$top/test/fuse-lib.sh"
trap 'unstall_all; stop_recorder KILL; clean' EXIT
if ! has_fuse; then
	echo "skip: no FUSE file system can be mounted here"
	exit 77
fi
mkdir -m 3773 "$profiles"
mkdir "$work/slow"
stall "$work/slow" --delay read=100 --file data=4194304

# row STEP: print mount, type of file system, kind of wait, and whether the
# times match
row()
{
	await has_evidence 70 "$1"
	evidence step_summaries step_id stall_mount stall_fs stall_kind \
		stall_usec stall_idle_usec stall_intervals limited_by_io_usec |
		awk -v step="$1" '$1 == step {
			fits = $5 >= 1e6 && $6 <= $5 && $6 >= 5e5 &&
				$7 >= 1 && $8 >= 5e5 ? "fits" : $0
			print $2, $3, $4, ($5 > 0 ? fits : "none") }'
}
# 40 reads of 100 ms each.
reads="dd if=$work/slow/data of=/dev/null bs=65536 count=40 iflag=direct"

start_recorder
play --item S_JOB_ID=70 --step 0 -- sh -c "$reads 2>/dev/null"
is 'a mount of the node has its name' "$work/slow fuse read fits" "$(row 0)"
play --item S_JOB_ID=70 --step 1 -- sleep 3
is 'who waits for nothing waits for none' '- - - none' "$(row 1)"
stop_recorder

# In the step's own namespace it is mounted elsewhere.
if setpriv --reuid $user --regid $user --clear-groups \
	unshare --map-root-user --mount true 2>/dev/null; then
	mkdir "$work/mine"
	start_recorder
	play --item S_JOB_ID=70 --step 2 -- unshare --map-root-user --mount \
		sh -c "mount --bind $work/slow $work/mine &&
			${reads/slow/mine} 2>/dev/null"
	is 'a name that a user gave it is not told' \
		"$work/slow fuse read fits" "$(row 2)"
	stop_recorder
else
	echo 'ok - skip: no user namespaces here'
fi

echo 'privacy: programs' >"$work/stepwell.yaml"
start_recorder
play --item S_JOB_ID=70 --step 3 -- sh -c "$reads 2>/dev/null"
is 'without paths only what kind it is' '- fuse read fits' "$(row 3)"
tally
