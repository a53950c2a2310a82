# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Waits of programs on n2 that read and write over a slow NFS mount, each in one
# way, compared with the share of time that they measured themselves.
# timeout: 1500
# Most scripts in here are for a shell of another node:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"

ways='read sequential direct direct-write mmap open stat fsync'
controls='tcp futex sleep'
seconds=6
# Until BPF is loaded: tens of milliseconds on a real processor.
head_start=40
plan 15

as_user alice sh -c 'mkdir waits && head -c 33554432 /dev/urandom >waits/data &&
	chmod 755 . waits && chmod 666 waits/data' || exit 1
sync
check 'n2 mounts it without a cache of attributes' on_node n2 \
	'mkdir -p /mnt/slow && mount -t nfs4 -o actimeo=0,nosharecache \
		n1:/home /mnt/slow'
check 'and is far away from n1 from now on' on_node n2 \
	'modprobe sch_netem && dev=$(ip -o route get "$(getent hosts n1 |
		cut -d" " -f1)" | sed "s/.* dev \([^ ]*\).*/\1/") &&
	tc qdisc add dev $dev root netem delay 100ms'

# record WAY: on n2; the profile is /root/waits/WAY.stepwell there
record()
{
	on_node n2 "mkdir -p /root/waits; cd /root/waits
		echo 1 >/proc/sys/vm/drop_caches
		export PATH=/opt/workloads:\$PATH
		stepwell run --output /root/waits/$1.stepwell --period 200ms -- \
			sh -c 'sleep $head_start; exec \"\$@\"' sh \
			w_wait $1 /mnt/slow/alice/waits/data $seconds \
			>$1.share 2>$1.said
		sed -n 's/^share //p' $1.share"
}

# waited WAY COLUMN KIND [FILE SYSTEM]: print the sum of the last values of such
# rows
waited()
{
	on_node n2 "stepwell dump /root/waits/$1.stepwell" |
		awk -F '\t' -v column="$2" -v kind="$3" -v fs="${4-}" '
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
			of[s] = $(at["detail"]) }
		table == "series.waits" { last[$(at["subject"])] = $(at[column]) }
		END { for (s in last)
			if (kinds[s] == kind && index(of[s], fs) == 1)
				sum += last[s]
		      printf "%d\n", sum }'
}

# is_right SHARE USEC: within a fifth of the run; its first and last part are
# sampled worse on emulated processors
is_right()
{
	awk -v share="$1" -v got="$2" -v seconds=$seconds 'BEGIN {
		got /= 1e6 * seconds
		exit !(share > 0 && got > share - 0.25 && got < share + 0.25) }'
}

for way in $ways; do
	share=$(record "$way")
	some=$(waited "$way" some_usec io 'nfs4 n1:/home')
	diag "$way: did $share, saw $some us of $seconds s"
	check "NFS $way is waiting for that mount" is_right "$share" "$some"
done
for way in $controls; do
	record "$way" >/dev/null
	is "$(waited "$way" some_usec all)" 0 "$way is no waiting for storage"
done
is "$(on_node n2 'stepwell dump /root/waits/read.stepwell' |
	sed -n 's/^# table series.waits, source \([^,]*\),.*/\1/p')" bpf.iter \
	'seen by BPF'
is "$(on_node n2 'stepwell report --json /root/waits/direct.stepwell' |
	sed -n '/"waits":/,/\]/p' | grep -c '"name":"/mnt/slow"')" 1 \
	'the report names the mount'
finish
