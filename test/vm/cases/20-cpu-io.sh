# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# CPU quotas and slow devices: the report compared with the cgroup's own files.
# as: root alice
# timeout: 300
# Most scripts in here are for the shell of the command:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by run-cases}"

mib=$((1 << 20))
# Path of the command's cgroup, and a copy of its files at the very end: by the
# shell alone, since another program would add CPU time that the copy lacks.
prologue='own=/sys/fs/cgroup$(grep ^0:: /proc/self/cgroup | cut -d: -f3)
copy() {
	mapfile -t lines <"$1" && printf "%s\n" "${lines[@]}" >"$2" || exit 1
}
'

# usec EXPRESSION: print seconds of the report in whole microseconds
usec()
{
	query "round(($1) * 1e6)"
}

record files bash -c "$prologue"'
	w_cpu 3 2 --truth "$1/cpu.truth" &&
	w_hold 40 2 0.5 --truth "$1/hold.truth" &&
	w_write "$1/written" 24 --fsync --truth "$1/write.truth" || exit 1
	for file in io.stat memory.peak memory.events cpu.stat; do
		copy "$own/$file" "$1/own.$file"
	done' bash "$CASE_OUT"
is "$status" 0 'the command runs'
is "$(query 's["cpu"]["source"]')" cgroup.v2 'CPU time is the cgroup'"'s"
stat=$(<"$CASE_OUT/own.cpu.stat")
is_near "$(usec 's["cpu"]["used_core_seconds"]')" \
	"$(value_of usage_usec "$stat")" 2 0 'CPU time is that of cpu.stat'
is_near "$(usec 's["cpu"]["user_seconds"]')" \
	"$(value_of user_usec "$stat")" 2 0 'so is that in user mode'
is_near "$(usec 's["cpu"]["system_seconds"]')" \
	"$(value_of system_usec "$stat")" 2 20000 'and that in the kernel'
is_between "$(value_of usage_usec "$stat")" \
	"$(of_truth burned_usec "$CASE_OUT/cpu.truth")" 60000000 \
	'which holds what was burned'
is_near "$(query 's["memory"]["peak_bytes"]')" \
	"$(<"$CASE_OUT/own.memory.peak")" 2 0 'the peak is that of memory.peak'
is "$(query 's["memory"]["oom_kills"]')" \
	"$(value_of oom_kill "$(<"$CASE_OUT/own.memory.events")")" \
	'OOM kills are those of memory.events'
written=$(grep -o 'wbytes=[0-9]*' "$CASE_OUT/own.io.stat" | cut -d= -f2 |
	paste -sd+)
is_near "$(query 's["io"]["written_bytes"]')" $((written)) 2 0 \
	'bytes written are those of io.stat'
is_between "$((written))" $((24 * mib)) $((26 * mib)) \
	'which holds what was written'
is "$(finding cpu.throttled 'f["sentence"]')" None \
	'without a quota there is no cpu.throttled'
is "$(finding io.stalled 'f["sentence"]')" None \
	'and without a slow device no io.stalled'
rm -f "$CASE_OUT/written"

# A quota on the cgroup of the command, which sets it itself, as a container
# runtime would.
record quota bash -c "$prologue"'
	echo "20000 100000" >"$own/cpu.max" &&
	w_cpu 0.6 2 --truth "$1" && copy "$own/cpu.stat" "$2"' \
	bash "$truth" "$CASE_OUT/own.cpu.stat"
is "$status" 0 'over its own quota: the command runs'
stat=$(<"$CASE_OUT/own.cpu.stat")
matches "$(finding cpu.throttled 'f["sentence"]')" "quota stopped it in" \
	'over its own quota: cpu.throttled comes'
diag "$(finding cpu.throttled 'f["sentence"]')"
is_near "$(usec 's["cpu"]["throttled_seconds"]')" \
	"$(value_of throttled_usec "$stat")" 2 200000 \
	'over its own quota: the time lost is that of cpu.stat'
is_near "$(finding cpu.throttled 'round(f["evidence"][0]["value"] * 1000)')" \
	$((1000 * $(value_of nr_throttled "$stat") /
	   $(value_of nr_periods "$stat"))) 2 40 \
	'over its own quota: so is the share of periods'
is_near "$(usec 's["cpu"]["used_core_seconds"]')" \
	"$(value_of usage_usec "$stat")" 2 10000 \
	'over its own quota: so is the CPU time'

# A quota on a parent: that of a service, a container or a batch job.  The
# recorder is under it as well, and alone before the command.
record_options=(--property CPUQuota=20%)
record above bash -c "$prologue"'
	copy "${own%/*}/cpu.stat" "$2.before" &&
	w_cpu 0.6 2 --truth "$1" && copy "${own%/*}/cpu.stat" "$2"' \
	bash "$truth" "$CASE_OUT/own.cpu.stat"
is "$status" 0 'over a quota above: the command runs'
matches "$(finding cpu.throttled 'f["sentence"]')" \
	"quota of a cgroup above the step's own stopped everything in it" \
	'over a quota above: cpu.throttled comes'
diag "$(finding cpu.throttled 'f["sentence"]')"
# The recording begins before the command and ends after it.
for key in nr_periods nr_throttled throttled_usec; do
	before=$(value_of $key "$(<"$CASE_OUT/own.cpu.stat.before")")
	after=$(value_of $key "$(<"$CASE_OUT/own.cpu.stat")")
	values=$(column series.cpu "above.$key")
	first=$(head -n 1 <<<"$values")
	last=$(tail -n 1 <<<"$values")
	is_between "$before" "$first" $((after - 1)) \
		"over a quota above: $key is recorded before the command"
	is_between "$after" $((first + 1)) "$last" \
		"over a quota above: $key is recorded to its end"
done
is "$(usec 's["cpu"]["throttled_seconds"]')" $((last - first)) \
	'over a quota above: the time lost is what was counted there'
is "$(query 's["cpu"]["allocated_cores"]')" 0.2 \
	'over a quota above: the quota is what it is given'

# A device limited to 8 MiB a second.
dd if=/dev/zero of="$CASE_OUT/file" bs=1M count=64 status=none
chown "$CASE_AS" "$CASE_OUT/file"
sync
device=$(findmnt -no SOURCE -T "$CASE_OUT")
record_options=(--property "IOReadBandwidthMax=$device 8M")
record stalled bash -c "$prologue"'
	w_read "$1" 1 --drop-cache --truth "$2" &&
	copy "$own/io.pressure" "$3" && copy "$own/io.stat" "$4"' \
	bash "$CASE_OUT/file" "$truth" "$CASE_OUT/own.io.pressure" \
	"$CASE_OUT/own.io.stat"
is "$status" 0 'on a slow device: the command runs'
rm -f "$CASE_OUT/file"
is "$(of_truth read_bytes)" $((64 * mib)) 'on a slow device: 64 MiB are read'
is_between "$(of_truth wall_usec)" 3000000 60000000 \
	'on a slow device: that takes seconds'
total=$(sed -n 's/^some .*total=//p' "$CASE_OUT/own.io.pressure")
matches "$(finding io.stalled 'f["sentence"]')" 'to waits for I/O' \
	'on a slow device: io.stalled comes'
diag "$(finding io.stalled 'f["sentence"]')"
is_near "$(usec 's["io"]["stalled_seconds"]')" "$total" 2 50000 \
	'on a slow device: the time lost is that of io.pressure'
is_between "$total" $(($(of_truth wall_usec) / 2)) \
	"$(query 'round(s["elapsed_seconds"] * 1e6)')" \
	'on a slow device: which is most of the time'
is "$(finding cpu.throttled 'f["sentence"]')" None \
	'on a slow device: it is not called throttled'
read_bytes=$(grep -o 'rbytes=[0-9]*' "$CASE_OUT/own.io.stat" |
	cut -d= -f2 | paste -sd+)
is_near "$(query 's["io"]["read_bytes"]')" $((read_bytes)) 2 0 \
	'on a slow device: bytes read are those of io.stat'
is_between $((read_bytes)) $((64 * mib)) $((66 * mib)) \
	'on a slow device: which holds what was read'
finish
