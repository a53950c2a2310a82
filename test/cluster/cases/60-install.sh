# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# From a node with the files to one that records, following "stepwell doctor",
# and recovery from each possible fault: the doctor names the fault, and the
# commands of --fix repair it.  All jobs are on n1, where this runs.
# timeout: 420
# Some scripts in here are for a shell of another user:
# shellcheck disable=SC2016
# shellcheck source=SCRIPTDIR/../lib.sh
. "${LIB:?is set by check-cluster}"
# shellcheck source=SCRIPTDIR/../plugin.sh
. "${LIB%/*}/plugin.sh"

recorder=/usr/libexec/stepwell/stepwell-recorder
spool=/var/spool/stepwell/node
profile_dir=/var/spool/stepwell/profiles
plugstack=/etc/slurm/plugstack.conf
plugin=$(find / -xdev -name stepwell.so -path '*/slurm*' | head -n 1)
slurm=$(slurmd -V | sed 's/.* \([0-9]*\.[0-9]*\).*/\1/')

plan 96

# examine: run the doctor; its output is in $said, its status in $status.
examine()
{
	said=$(stepwell doctor 2>&1)
	status=$?
}

# states: the checks that are not OK, in the order in which they are said.
# Hooks that gave up are this machine's speed, and 52-delivery's matter. Before
# Linux 6.6 the kernel sends users no exit events.
states()
{
	awk '$1 != "OK" && $1 ":" $2 !~ /^WARN:(exits|hooks)$/ { print $1 ":" $2 }' \
		<<<"$said" | paste -sd' '
}

# Components that these machines lack, and that no command installs.
given='SKIP:papi SKIP:gpus'

# ill DESCRIPTION STATES REGEX: the doctor reports exactly these faults, and
# prints a matching line.
ill()
{
	examine
	is "$status:$(states)" "$ill_status:$2${given:+ $given}" "$1"
	matches "$said" "$3" '  and it says what that is'
}
ill_status=1

# The output of --fix is a shell script; slurmd takes a while to start.
run_fix()
{
	stepwell doctor --fix >"$CASE_OUT/fix" 2>&1
	bash -e "$CASE_OUT/fix" >"$CASE_OUT/fix.out" 2>&1 ||
		diag "--fix ended with $?: $(cat "$CASE_OUT/fix.out")"
	wait_for 20 is_answering
	wait_for 30 are_nodes_idle
}

# fix_of CHECK: print only the command of its line
fix_of()
{
	stepwell doctor --fix | grep -A 1 "^# [A-Z]* $1:" | tail -n 1
}

is_answering()
{
	stepwell doctor | grep -q '^OK *recorder '
}

is_without_recorder()
{
	! pgrep -x stepwell-record >/dev/null
}

healthy()
{
	examine
	is "$status:$(states)" "0:$given" "$1"
}

# mended: the doctor's commands repair it
mended()
{
	run_fix
	healthy '  its commands mend it'
}

# recorded: a job on this node has this many profiles
recorded()
{
	local job

	job=$(sbatch_wait alice -w n1 --mem=50 -o /home/alice/step.out \
		/home/alice/step.sh)
	# Lines of stepwell's may follow, and of srun's, on a broken plugin, precede.
	is "$(job_field "$job" JobState):$(grep -x step /home/alice/step.out)" \
		"COMPLETED:step" '  a job ends as it would'
	if [ "$1" -eq 0 ]; then
		sleep 2
		is "$(profiles_of alice "$job")$(profile_now "$job")" '' \
			'  and is not recorded'
		return
	fi
	wait_for 60 has_profiles alice "$job" 1
	is "$(cells "$(profiles_of alice "$job")" steps step_id |
		sort | paste -sd' ')" '0 batch' '  and is recorded'
}

write_script /home/alice/step.sh <<'JOB'
#!/bin/bash
srun echo step
JOB

# The files are there and nothing else.
ill 'a node that has no more than the files' \
	"FAIL:account FAIL:spool FAIL:profile_dir SKIP:folders FAIL:travel \
FAIL:recorder SKIP:hooks SKIP:cpus FAIL:plugstack SKIP:plugin WARN:perf" \
	"^FAIL  plugstack .*$plugstack has no line for stepwell.so.*add \"optional stepwell.so\""
matches "$said" "^FAIL  recorder .*/run/stepwell/recorder.sock does not exist" \
	'  and that no recorder runs'
matches "$said" "^FAIL  spool .*$spool: No such file" '  and that it has no spool'
recorded 0
ids=$(awk '{ print $2 }' <<<"$said" | sort -u | wc -l)
is "$(wc -l <<<"$said")" "$ids" '  one line for each check'
on_nodes 'stepwell doctor --fix >/root/fix; bash -e /root/fix >/dev/null'
wait_for 20 is_answering
wait_for 30 are_nodes_idle
healthy 'the commands of --fix install it on both nodes'
is "$(stat -c '%U %G %a' $spool $profile_dir | paste -sd,)" \
	'root root 700,root stepwell 3773' '  folders and accounts are made'
is "$(grep -vcE '^(OK|WARN|SKIP) +[a-z_]+ +.{12}' <<<"$said")" 0 \
	'  each line is OK or says why not'
is "$(stepwell doctor --fix | grep -v '^# WARN exits: ')" '' \
	'  there is nothing left to do'
recorded 1
as_user alice stepwell doctor >"$CASE_OUT/alice"
is "$?:$(grep -c ^FAIL "$CASE_OUT/alice")" 0:0 'a user may ask, too'
matches "$(cat "$CASE_OUT/alice")" '^SKIP  recorder .*only root' \
	'  and is told what only root can'

# Summarize both nodes.
sum_nodes()
{
	srun --chdir=/ --label -N2 stepwell doctor --json \
		>"$CASE_OUT/answers" 2>"$CASE_OUT/answers.err"
	said=$(stepwell doctor --nodes "$CASE_OUT/answers" 2>&1)
	status=$?
	said=$(grep -vE '^(OK|WARN) +hooks ' <<<"$said")
}
# All ids except that one.
ids=$((ids - 1))
sum_nodes
is "$status:$(grep -c '  2 nodes: n\[1-2\]' <<<"$said"):$(wc -l <<<"$said")" \
	"0:$ids:$ids" 'both nodes are well: one line for each check'
on_node n2 "chmod 777 $spool"
sum_nodes
is "$status:$(wc -l <<<"$said")" "1:$((ids + 1))" \
	'one differs: one line more'
is "$(head -n 1 <<<"$said" | tr -s ' ')" \
	'FAIL spool 1 node: n2: wrong owner or mode' '  which names it first'
matches "$said" '^OK    spool +1 node: n1$' '  and the other is well'
said=$(stepwell doctor --nodes "$CASE_OUT/answers" --fix)
is "$(grep -A 1 '^# FAIL spool: n2' <<<"$said" | tail -n 1)" \
	"install -d -m 0700 -o root -g root $spool" '  and what to do there'
on_node n2 "$(grep -A 1 '^# FAIL spool: n2' <<<"$said" | tail -n 1)"
sum_nodes
is "$status:$(wc -l <<<"$said")" "0:$ids" '  which mends it'

# The line in plugstack.conf.
sed -i 's/^optional stepwell/#&/' $plugstack
systemctl restart slurmd
wait_for 30 are_nodes_idle
ill 'the line is commented out' 'FAIL:plugstack SKIP:plugin' \
	"^FAIL  plugstack .*$plugstack has no line"
recorded 0
mended
recorded 1

# The recorder.
pkill -KILL -x stepwell-record
wait_for 20 is_without_recorder
ill 'the recorder is dead' "FAIL:recorder SKIP:cpus" \
	'^FAIL  recorder .*nothing listens at /run/stepwell/recorder.sock'
recorded 0
mended
pkill -STOP -x stepwell-record
before=$(pgrep -x stepwell-record)
ill 'the recorder is stopped' FAIL:recorder \
	'^FAIL  recorder .*/run/stepwell/recorder.sock did not answer'
mended
check '  by another recorder' test "$(pgrep -ox stepwell-record)" != "$before"
recorded 1
mv $recorder $recorder.away
pkill -KILL -x stepwell-record
wait_for 20 is_without_recorder
ill 'the recorder is missing' "FAIL:recorder SKIP:cpus SKIP:causes" \
	"^FAIL  recorder .*$recorder does not exist.*install the package"
is "$(fix_of recorder)" 'apt-get install stepwell || dnf install stepwell' \
	'  and what to install'
mv $recorder.away $recorder
mended

# The plugin.  set_release FILE: make it one of another Slurm, by the version
# that the loader compares
set_release()
{
	python3 - "$1" <<'PYTHON'
import struct, sys
path = sys.argv[1]
data = bytearray(open(path, "rb").read())
at, = struct.unpack_from("<Q", data, 40)
size, count = struct.unpack_from("<HH", data, 58)
sections = [struct.unpack_from("<IIQQQQIIQQ", data, at + i * size)
            for i in range(count)]
dynsym = next(s for s in sections if s[1] == 11)
strings = sections[dynsym[6]]
for i in range(dynsym[5] // 24):
    name, _, _, shndx, value, _ = struct.unpack_from(
        "<IBBHQQ", data, dynsym[4] + i * 24)
    begin = strings[4] + name
    if data[begin:data.index(0, begin)] == b"plugin_version":
        home = sections[shndx]
        struct.pack_into("<I", data, value - home[3] + home[4], 21 << 16 | 8 << 8)
        break
else:
    sys.exit("no plugin_version in " + path)
open(path, "wb").write(data)
PYTHON
}
cp -p "$plugin" /root/stepwell.so
cp -p "$plugin" "$plugin.new"
check 'a plugin can be made for another Slurm' set_release "$plugin.new"
mv "$plugin.new" "$plugin"
ill 'the plugin is for another Slurm' FAIL:plugin \
	"^FAIL  plugin .*$plugin is for Slurm 21.08, but slurmd is $slurm, which does not load it.*install"
is "$(fix_of plugin)" \
	'apt-get install stepwell-slurm-plugin || dnf install stepwell-slurm-plugin' \
	'  and which package has another'
recorded 0
rm "$plugin"
ill 'the plugin is missing' FAIL:plugin \
	"^FAIL  plugin .*$plugstack:[0-9]+ names stepwell.so, which does not exist.*install"
cp -p /root/stepwell.so "$plugin"
chown alice "$plugin"
ill "the plugin is a user's" FAIL:plugin \
	"^FAIL  plugin .*$plugin is loaded by root, but"
mended
recorded 1

# The spool.
chown alice $spool
ill "the spool is a user's" 'FAIL:spool' \
	"^FAIL  spool .*$spool is owned by user 1000 with mode 0700"
mended
chmod 755 $spool
ill 'the spool is open to all' FAIL:spool "^FAIL  spool .*mode 0755"
mended
same=$(pgrep -ox stepwell-record)
rm -rf $spool
ill 'the spool is deleted' 'FAIL:spool FAIL:travel' \
	"^FAIL  spool .*$spool: No such file"
mended
check '  the recorder is the same' test "$(pgrep -ox stepwell-record)" = "$same"
recorded 1
mount -t tmpfs -o size=4m,mode=700 none $spool
dd if=/dev/zero of=$spool/other bs=64k 2>/dev/null
ill 'the spool is full' 'FAIL:spool FAIL:travel' \
	"^FAIL  spool .*free for $spool: series are being dropped; make room"
umount $spool
healthy '  room mends it'
chmod 777 /var/spool/stepwell
ill 'all may write above the spool' FAIL:spool \
	"^FAIL  spool .*/var/spool/stepwell is writable by others"
mended
chmod 700 $profile_dir
ill 'users cannot enter their folders' 'FAIL:profile_dir FAIL:travel' \
	"^FAIL  profile_dir .*$profile_dir is owned by user 0, group [0-9]+ with mode [0-7]700"
mended
mkdir -p /etc/stepwell
echo 'reports: [' >/etc/stepwell/stepwell.yaml
ill 'the settings are no YAML' FAIL:settings \
	'^FAIL  settings .*/etc/stepwell/stepwell.yaml'
rm /etc/stepwell/stepwell.yaml

# Switch off and on.
has_ended()
{
	! pgrep -x stepwell-record
}
ill_status=0
touch /etc/stepwell/off
check 'switched off: the recorder ends' wait_for 10 has_ended
ill '  and the doctor sees why' 'WARN:switch SKIP:recorder SKIP:cpus' \
	'^WARN  switch .*/etc/stepwell/off exists.*remove it'
recorded 0
mended
check '  the file is gone' test ! -e /etc/stepwell/off
recorded 1
sed -i 's/^optional stepwell.so.*/& off/' $plugstack
ill 'switched off by the word' 'WARN:switch SKIP:recorder' \
	"^WARN  switch .*$plugstack:[0-9]+ says \"off\".*remove the word"
recorded 0
sed -i 's/^\(optional stepwell.so.*\) off$/\1/' $plugstack
healthy '  it is taken out'
recorded 1

check 'the nodes are idle again' wait_for 30 are_nodes_idle
finish
