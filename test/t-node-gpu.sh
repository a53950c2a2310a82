#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# GPUs of a step in its row of the node's summaries, with the stand-in for
# NVIDIA's library: those that Slurm assigned to it, and none if unknown.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
: "${abs_top_builddir:=$PWD}"
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/mounts-lib.sh"
[ -d /proc/driver ] && mount -t tmpfs none /proc/driver 2>/dev/null ||
	skip "no mounts over /proc/driver here"
. "$top/test/lib.sh"
. "$top/test/node-lib.sh"
mkdir /proc/driver/nvidia
echo "a stand-in" >/proc/driver/nvidia/version
export LD_LIBRARY_PATH=$abs_top_builddir/test/nvml LC_ALL=C
gib=$((1 << 30))
mkdir -m 3773 "$profiles"

# gpu NUMBER BUSY GIB: print its lines
gpu()
{
	printf '%s\n' "gpu GPU-$1 00000000:$1$1:00.0 NVIDIA H100 80GB HBM3" \
		"set busy $2" "set total $((80 * gib))" "set used $(($3 * gib))"
}
{
	gpu 0 90 70
	gpu 1 10 3
	gpu 2 50 20
} >/proc/driver/nvidia/stepwell-script

# row STEP: print GPUs, percentage busy, GiB on the fullest one
row()
{
	await has_evidence 60 "$1"
	evidence step_summaries step_id gpu_count gpu_seen_usec gpu_busy_usec \
		gpu_memory_bytes |
		awk -v step="$1" -v gib=$gib '$1 == step {
			share = $3 > 0 ? sprintf("%.0f", 100 * $4 / $3) : "-"
			print $2, share, $5 == "-" ? "-" : $5 / gib }'
}

# Long enough to query the driver: the helper process starts with the recorder.
start_recorder
play --item S_JOB_ID=60 --step 0 \
	--env SLURM_GPUS_ON_NODE=1 --env SLURM_STEP_GPUS=1 -- sleep 4
is 'a step with one of three GPUs has that' '1 10 3' "$(row 0)"
play --item S_JOB_ID=60 --step 1 --env SLURM_GPUS_ON_NODE=2 \
	--env SLURM_STEP_GPUS=0,2 -- sleep 3
is 'one with two has both' '2 70 70' "$(row 1)"
play --item S_JOB_ID=60 --step 2 --env SLURM_GPUS_ON_NODE=2 -- sleep 3
is 'of one whose list is not known nothing is' '2 - -' "$(row 2)"
play --item S_JOB_ID=60 --step 3 --env SLURM_GPUS_ON_NODE=3 -- sleep 3
is 'unless it has all of the node' '3 50 70' "$(row 3)"
play --item S_JOB_ID=60 --step 4 -- sleep 3
is 'one without GPUs has none' '- - -' "$(row 4)"
play --item S_JOB_ID=60 --step 5 --env SLURM_GPUS_ON_NODE=1 \
	--env SLURM_STEP_GPUS=7 -- sleep 3
is 'nor one with a GPU that the node lacks' '1 - -' "$(row 5)"
tally
