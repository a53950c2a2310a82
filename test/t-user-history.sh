#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The history that the sweep writes for each user: read in addition to the
# user's own, by nobody else, and changes by a user have no effect on others.
# Uses three real users; needs root.
# shellcheck disable=SC2154 # what verb-lib.sh and make set
[ "$(id -u)" -eq 0 ] || {
	echo '# skip: three users are needed, so only root can'
	exit 77
}
command -v setpriv >/dev/null || {
	echo '# skip: there is no setpriv'
	exit 77
}
# shellcheck source=test/verb-lib.sh
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/verb-lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/sweep-lib.sh"

alice=1001 bob=1002 erin=1005 keeper=23003
chmod 755 "$work"
sweep_site
install -m 755 "$builddir/analyzer/stepwell" "$fixtures/sweep/sbatch" \
	"$work/bin"
mkdir "$work/homes"
chmod 750 "$work/nights"
histories=$work/histories
mkdir -m 755 "$histories"
for user in $alice $bob $erin $keeper; do
	install -d -o "$user" -g "$user" -m 700 "$work/homes/$user"
done
echo "user_history_dir: $histories" >>"$work/settings.yaml"
night_jobs 1
night_jobs 2

as() { # USER COMMAND...
	local uid=$1
	shift
	setpriv --reuid "$uid" --regid "$uid" --clear-groups \
		env XDG_STATE_HOME="$work/homes/$uid" HOME="$work/homes/$uid" \
		PATH="$work/no-slurm:$PATH" "$@"
}
user() { # USER ARGUMENT...: status, $work/out and $work/err of stepwell
	local uid=$1
	shift
	as "$uid" "$work/bin/stepwell" "$@" >"$work/out" 2>"$work/err" \
		</dev/null
	status=$?
}
sweep() { # NIGHT OPTION...
	local night=$1
	shift
	SACCT_JOBS=$work/jobs$night "$stepwell" sweep --quiet \
		--from "2026-11-2$night" "$@" >"$work/out" 2>"$work/err"
	status=$?
}
has() { grep -qF -e "$1" "$work/out"; }
lacks() { ! grep -qF -e "$1" "$work/out"; }
says() { grep -qF -e "$1" "$work/err"; }
silent() { [ ! -s "$work/err" ]; }
is() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "expected: $2" "got: $3" "$(head -5 "$work/err")"
	fi
}
# Access by another process of that user.
reads() { as "$1" cat "$2" >/dev/null 2>&1; }
runs_of() { # USER GROUP: how many runs a backtest has
	user "$1" backtest --json "$2"
	python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["runs"]["read"])' "$work/out" 2>&1 |
		tail -1
}

# --- the files, and their owners

sweep 1
check 'a sweep of root: ok' is_status 0
check 'without a word' silent
is 'a file for each user' "$alice $bob 1003 1004 $erin" \
	"$(cd "$histories" && for f in *.sqlite; do echo "${f%.sqlite}"; done |
	paste -sd' ')"
is 'each is of its user, and for nobody else' '' \
	"$(cd "$histories" && for f in *.sqlite; do
		stat -c '%u %a' "$f" | grep -vx "${f%.sqlite} 400"; done)"
check 'alice can read hers' reads $alice "$histories/$alice.sqlite"
check "bob cannot read alice's" eval "! reads $bob $histories/$alice.sqlite"
check 'nor what the sweep goes on with' \
	eval "! as $bob ls $histories/.sweep >/dev/null 2>&1"
is 'of each only the own runs' '' "$(python3 - "$histories" <<'END'
import glob, os, sqlite3, sys
who = {'1001': 'alice', '1002': 'bob', '1003': 'carol', '1004': 'dave',
       '1005': 'erin'}
for path in glob.glob(sys.argv[1] + '/*.sqlite'):
	db = sqlite3.connect('file:%s?immutable=1' % path, uri=True)
	users = {row[0] for row in db.execute('select user from runs')}
	if users != {who[os.path.basename(path).split('.')[0]]}:
		print(path, users)
END
)"

# prints USER GROUP: how many of the runs have a fingerprint, and which
# programs these name
prints() {
	python3 - "$histories/$1.sqlite" "$2" <<'END'
import re, sqlite3, sys
db = sqlite3.connect('file:%s?immutable=1' % sys.argv[1], uri=True)
rows = [row[0] for row in db.execute(
	'select fingerprint from runs join groups on groups.id = group_id '
	'where groups.label like ?', (sys.argv[2] + '%',))]
known = [row for row in rows if row]
print(len(rows), len(known), *sorted({name.decode() for row in known
	for name in re.findall(b'bwa|grep|Model_9|6.1.0-n', row)}))
END
}
is 'runs with their programs are kept' '20 20 6.1.0-n Model_9 bwa grep' \
	"$(prints $erin align)"
is 'those of a recorder that kept none, without' '20 20' "$(prints $bob serial)"
is "those that are only Slurm's have nothing to compare" '60 0' \
	"$(prints $alice over)"

# --- their use

user $alice suggest over
check 'alice, who has no history, gets advice' is_status 0
check 'of her own jobs' has '#SBATCH --mem='
is 'and of all of them' 60 "$(runs_of $alice over)"
user $bob suggest over
check 'bob gets none of it' is_status 3
user $erin backtest align
check 'a backtest has it, too' is_status 0
rm -rf "${work:?}/homes/$bob/stepwell"
staged=$work/mine.stepwell
"$builddir/test/mknode" "$staged" 1 job=123 uid=$bob nodes=1
chmod 644 "$staged"
user $bob report --no-sacct "$staged"
check 'a report ends well with it' is_status 0
is 'and writes no history' '' "$(find "$work/homes/$bob" -name '*.sqlite*')"
user $bob list
is 'nor does list' '' "$(find "$work/homes/$bob" -name '*.sqlite*')"

# The second night is added to the first; a repetition changes nothing.
sweep 2
is 'the second night comes to it' 120 "$(runs_of $alice over)"
sweep 2
is 'the same night again adds nothing' 120 "$(runs_of $alice over)"
# Imports by alice herself are the same runs.
sed '1!{/|alice|/!d}' "$work/jobs2" |
	awk -F'|' -v OFS='|' 'NR == 1 { for (i = 1; i <= NF; i++) n[$i] = i }
		{ print $n["JobID"], $n["Cluster"], $n["User"], $n["JobName"],
			$n["State"], $n["Start"], $n["End"],
			$n["ElapsedRaw"], $n["ReqMem"], $n["MaxRSS"],
			$n["AllocCPUS"], $n["NNodes"] }' >"$work/alice.txt"
chmod 644 "$work/alice.txt"
user $alice import --quiet "$work/alice.txt"
check 'alice imports her jobs of that night' is_status 0
is 'they are the same runs' 120 "$(runs_of $alice over)"
user $alice import
check 'an import has those of the sweep' is_status 0
mv "$histories/$alice.sqlite" "$work/kept"
is 'and keeps them' 120 "$(runs_of $alice over)"
mv "$work/kept" "$histories/$alice.sqlite"

# --- as jobs of the cluster

rm -rf "${histories:?}"/*.sqlite "$histories/.sweep"
SBATCH_LOG=$work/sbatch sweep 1 --submit 3
check 'as jobs: ok' is_status 0
rm -rf "${work:?}/homes/$alice/stepwell"
is 'the job that joins the parts leaves them' 60 "$(runs_of $alice over)"

# --- changes by a user

as $alice chmod 600 "$histories/$alice.sqlite"
# shellcheck disable=SC2016 # for that shell
as $alice sh -c 'echo garbage >"$1"' sh "$histories/$alice.sqlite"
user $alice suggest over
check 'alice spoils hers: she has none' is_status 3
check 'which is said' says "$alice.sqlite"
user $erin backtest align
check "erin's is as it was" is_status 0
sweep 1
check 'the next sweep goes on' is_status 0
check 'without a word' silent
is 'and she has it again' 60 "$(runs_of $alice over)"
is 'as it has to be' "$alice 400" \
	"$(stat -c '%u %a' "$histories/$alice.sqlite")"
# Its contents are her claims, to herself alone.
as $alice chmod 600 "$histories/$alice.sqlite"
as $alice python3 - "$histories/$alice.sqlite" <<'END'
import sqlite3, sys
db = sqlite3.connect('file:%s?immutable=1' % sys.argv[1], uri=True)
pages = b''.join(line.encode() + b'\n' for line in db.iterdump())
db.close()
copy = sqlite3.connect(':memory:')
copy.executescript(pages.decode())
copy.execute("update runs set user = 'bob', need_bytes = 1e15")
copy.execute("update groups set name = 'bob/' || label, label = name")
copy.execute('pragma application_id = %d' % 0x5374576c)
copy.execute('pragma user_version = 3')
copy.commit()
with open(sys.argv[1], 'wb') as out:
	out.write(copy.serialize() if hasattr(copy, 'serialize') else b'x')
END
sweep 2
check 'forged rows: the sweep goes on' is_status 0
user $bob suggest over
check "and bob has nothing of them" is_status 3
is 'nor has alice after it' 120 "$(runs_of $alice over)"
check 'no user can put a file there' \
	eval "! as $bob touch $histories/$alice.sqlite.x 2>/dev/null"
check 'nor in the place of another' \
	eval "! as $bob mv -f $staged $histories/$alice.sqlite 2>/dev/null"
check 'nor lead a name elsewhere' \
	eval "! as $alice ln -sf /etc/passwd $histories/.$alice.new 2>/dev/null"

# An existing link is replaced, but not its target.
echo precious >"$work/precious"
ln -sf "$work/precious" "$histories/.$alice.new"
rm "$histories/$alice.sqlite"
ln -s "$work/precious" "$histories/$alice.sqlite"
sweep 2
check 'links in the way: ok' is_status 0
is 'nothing was written through them' precious "$(cat "$work/precious")"
is 'and they are files now' "regular file $alice 400" \
	"$(stat -c '%F %u %a' "$histories/$alice.sqlite")"

# --- names and numbers of users that Slurm never has

{
	head -1 "$work/jobs1"
	sed -n '2,30{s/|1001|alice|/|..\/..\/x|..\/..\/x|/;p}' "$work/jobs1"
	sed -n '31,60{s/|1001|alice|/|4294967295|al\/ice|/;p}' "$work/jobs1"
	grep -m 1 '^[0-9]*|[0-9]*|c1|1002|' "$work/jobs1" |
		sed 's/|1002|bob|/|77|..\/..\/x|/'
} >"$work/jobs3"
SACCT_JOBS=$work/jobs3 "$stepwell" sweep --quiet --from 2026-11-21 \
	--state "$work/other" >"$work/out" 2>"$work/err"
status=$?
check 'no number of a user, and no name: ok' is_status 0
is 'who has a number has a file by it' 77 \
	"$(stat -c %u "$histories/77.sqlite")"
is 'and nothing else was made' '' "$(find "$work" -name 'x*.sqlite' -o \
	-name '4294967295*')$(find "$histories" -newer "$work/jobs3" -name \
	'*.sqlite' ! -name 77.sqlite ! -path '*/.sweep/*')"

# --- folders with wrong owners or modes

chmod 777 "$histories"
sweep 2
check 'a folder that others can write to: the page, and its status' is_status 4
check 'and why' says 'histories: others than its owner can write there'
check 'there is a page' has 'jobs ended'
rm -rf "${work:?}/homes/$alice/stepwell"
user $alice suggest over
check 'nor is it read' is_status 3
check 'which is said' says 'others than the owner can write to its folder'
chmod 755 "$histories"
chmod 755 "$histories/.sweep"
sweep 2
check "the sweep's own open to others: the page, and its status" is_status 4
check 'and why' says 'others than its owner can enter it'
chmod 700 "$histories/.sweep"
chown $keeper "$histories"
sweep 2
check "another user's folder: the page, and its status" is_status 4
check 'and why' says "is owned by user $keeper; only a sweep of that user"
mv "$histories" "$work/away"
sweep 2
check 'no folder: the page, and its status' is_status 4
check 'and why' says 'histories: No such file or directory'
check 'it is not made' test ! -e "$histories"

# --- the system user, without privileges and with that to change owners

install -d -o $keeper -m 755 "$histories"
chmod 755 "$work/sum" "$work/nights"
chown -R $keeper "$work/sum" "$work/nights"
cp "$work/jobs1" "$work/jobs" && chmod 644 "$work/jobs"
keeper_sweeps() { # OPTION...: of setpriv
	setpriv --reuid $keeper --regid $keeper --clear-groups "$@" \
		env SACCT_JOBS="$work/jobs" \
		XDG_STATE_HOME="$work/homes/$keeper" "$work/bin/stepwell" \
		sweep --quiet --from 2026-11-21 >"$work/out" 2>"$work/err"
	status=$?
}
can_give='--inh-caps=-all,+chown --ambient-caps=-all,+chown'
keeper_sweeps
check 'a system user without rights: the page, and its status' is_status 4
check 'and why' says 'cannot give a file to user 1001, which needs root, or CAP_CHOWN'
is 'nothing of it is left for anybody' '' \
	"$(find "$histories" -maxdepth 1 -type f)"
# shellcheck disable=SC2086 # words
keeper_sweeps $can_give --bounding-set=-all,+chown
check 'with CAP_CHOWN alone: ok' is_status 0
is 'the file is the user'"'"'s' "$alice 400" \
	"$(stat -c '%u %a' "$histories/$alice.sqlite")"
is 'and good' 60 "$(runs_of $alice over)"

# --- the same as jobs, which cannot change owners

# submit NIGHT OPTION...: with options of setpriv
submit()
{
	local night=$1
	shift
	rm -rf "$work/log"
	install -d -o $keeper "$work/log"
	setpriv --reuid $keeper --regid $keeper --clear-groups "$@" \
		env SACCT_JOBS="$work/all" SBATCH_LOG="$work/log/sbatch" \
		XDG_STATE_HOME="$work/homes/$keeper" "$work/bin/stepwell" \
		sweep --quiet --from "2026-11-2$night" --submit 2 \
		>"$work/out" 2>"$work/err"
	status=$?
}
sed 1d "$work/jobs2" | cat "$work/jobs1" - >"$work/all"
chmod 644 "$work/all"
rm -rf "$histories"/*.sqlite "$histories/.sweep" "$work/nights"/*
submit 1
check 'submitted without any right: ok' is_status 0
is 'and all of its jobs end well' 0 "$(sort -u "$work"/log/sbatch.status.*)"
is 'there is a page, without a complaint' 0 \
	"$(grep -c 'stepwell:' "$work/nights/2026-11-21.page")"
submit 2
check 'in the next night its status tells' is_status 4
check 'that users have no history' says 'cannot give a file to user 1001'
is 'and all jobs end well again' 0 "$(sort -u "$work"/log/sbatch.status.*)"
# shellcheck disable=SC2086 # words
submit 2 $can_give --bounding-set=-all,+chown
check 'submitted with CAP_CHOWN: ok' is_status 0
rm -rf "${work:?}/homes/$alice/stepwell"
is 'users have the night before' 60 "$(runs_of $alice over)"

# --- killed at any moment: each file is complete

exec_sweep() { # OPTION...: in place of this shell, to be killed
	exec setpriv --reuid $keeper --regid $keeper --clear-groups "$@" \
		env SACCT_JOBS="$work/jobs" \
		XDG_STATE_HOME="$work/homes/$keeper" "$work/bin/stepwell" \
		sweep --quiet --from 2026-11-21 >/dev/null 2>&1
}
for i in {1..20}; do
	# shellcheck disable=SC2086 # words
	exec_sweep $can_give &
	sleep "0.0$((i * 3 % 10))$((i % 10))"
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	rm -rf "${work:?}/homes/$alice/stepwell"
	[ "$(runs_of $alice over)" = 60 ] || break
done
is 'killed 20 times: the history is whole' 20 "$i"
# shellcheck disable=SC2086 # words
keeper_sweeps $can_give
is 'and nothing lies about' '' \
	"$(find "$histories" -maxdepth 1 -name '.*.new')"

finish
