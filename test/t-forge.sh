#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Forgeries and obstacles by users: profiles of others' jobs, altered ones,
# summaries, folders and links in others' names, files that change while they
# are opened, and files that become very large.  Root must recognize each.  Uses
# three real users; needs root.
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

alice=23001 bob=23002 keeper=23003 nobody_yet=23004
profiles=$work/profiles
summaries=$work/summaries
stage=$work/stage
chmod 755 "$work"
install -d -m 3773 "$profiles"
install -d -m 755 "$stage" "$work/bin"
install -d -o $keeper -g $keeper -m 750 "$summaries"
install -m 755 "$builddir/analyzer/stepwell" "$work/bin/stepwell"
printf 'profile_dir: %s\nsummaries_dir: %s\n' "$profiles" "$summaries" \
	>"$STEPWELL_CONF"
printf 'profile_dir: %s\nsummaries_dir: %s\n' "$profiles" "$work/none" \
	>"$work/blind.yaml"
export STEPWELL_HISTORY=$work/history.sqlite

as() { # USER COMMAND...
	local uid=$1
	shift
	setpriv --reuid "$uid" --regid "$uid" --clear-groups "$@"
}

# staged NAME WORD...: create a profile that anybody may copy
staged() {
	local name=$1
	shift
	"$builddir/test/mknode" "$stage/$name" "$@" && chmod 644 "$stage/$name"
}

has() { grep -qF -e "$1" "$work/out"; }

# has_runs COUNT NEW: check the output of an import
has_runs() {
	grep -qE "^$1 runs \(.*\): $2 new" "$work/out"
}
lacks() { ! grep -qF -e "$1" "$work/out"; }
says() { grep -qF -e "$1" "$work/err"; }
# Other messages do not matter here.
all_is_well() { ! grep -qE 'altered|foreign|skipped|digest' "$work/err"; }
recorded() { query_json "$work/out" "len(r['recordings'])"; }
query_json() {
	python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$1" "$2" 2>&1
}
is() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "expected: $2" "got: $3" "$(head -5 "$work/err")"
	fi
}

digest_of() { "$stepwell" verify "$1" | awk '$1 == "digest" { print $2 }'; }

# Write the recorder of n1's summaries of the profiles it delivered.
summarise() {
	{
		printf 'table profiles job slurm\ncolumn cluster - text\n'
		printf 'column job_id - state\ncolumn uid - state\n'
		printf 'column file - text\ncolumn digest - text\n'
		cat "$work/rows"
	} >"$work/text"
	"$builddir/test/mkprofile" "$work/text" \
		"$summaries/2026-05-28.n1.stepwell" || exit 99
	chown $keeper "$summaries/2026-05-28.n1.stepwell"
}

delivered() { # UID NAME: as the deliverer does it
	as "$1" mkdir -p "$profiles/$1"
	as "$1" sh -c 'umask 027; cat "$1" >"$2"' sh "$stage/$2" \
		"$profiles/$1/$2"
}

# --- valid profiles

b1=c1.123.1780000000.n1.stepwell
a1=c1.500.1780000000.n1.stepwell
staged $b1 1 job=123 uid=$bob nodes=1
staged $a1 1 job=500 uid=$alice nodes=1
delivered $bob $b1
delivered $alice $a1
printf 'row c1 123 %s %s %s\nrow c1 500 %s %s %s\n' \
	$bob $b1 "$(digest_of "$stage/$b1")" \
	$alice $a1 "$(digest_of "$stage/$a1")" >"$work/rows"
summarise

run list --json
is 'two jobs of two users' 2 "$(recorded)"
is 'both are proven' "['proven', 'proven']" \
	"$(query_json "$work/out" "[i['trust'] for i in r['recordings']]")"
check 'nothing is said of them' all_is_well
run report --json 123
check 'a report of one' is_status 0
check 'it is proven' has '"trust":"proven"'
run import
check 'both are taken' has_runs 8 8
run report --json 123
cp "$work/out" "$work/right.json"
cp "$work/bin/stepwell" "$work/bin/own" && chmod 755 "$work/bin/own"
as $bob env XDG_STATE_HOME="$work/nowhere" "$work/bin/own" list >"$work/out" \
	2>"$work/err"
check 'their own user sees one' has '123 (4 steps)'
check 'and not the other' lacks '500'
check 'without a word' all_is_well

unchanged() { # WHAT: root's report of job 123 is what it was
	run report --json 123
	is "$1: the report of the other's job: status" 0 "$status"
	is "$1: it is what it was" "$(cat "$work/right.json")" \
		"$(cat "$work/out")"
}

# --- foreign jobs

# The same node, a second later, in the name of the other user.
staged c1.123.1780000001.n1.stepwell 1 job=123 uid=$bob nodes=1 later=1
as $alice cp "$stage/c1.123.1780000001.n1.stepwell" "$profiles/$alice"
unchanged 'same node a second later'
check 'it is named' says 'c1.123.1780000001.n1.stepwell: altered or foreign'
run list --json
is 'list does not count it' 2 "$(recorded)"
is 'and has it apart' 1 "$(query_json "$work/out" "r['ignored_count']")"
run import
check 'import does not take it' says 'altered or foreign'
check 'nothing is new' has_runs 8 0
rm "$profiles/$alice/c1.123.1780000001.n1.stepwell"

# The other user's job in one's own name; the recorder knows better.
staged c1.123.1780000002.n1.stepwell 1 job=123 uid=$alice nodes=1 later=2
as $alice cp "$stage/c1.123.1780000002.n1.stepwell" "$profiles/$alice"
unchanged "another's job in one's own name"
check 'whose it is is known' says "the recorder knows the job as another"
# Without summaries each has a job of that number.
export STEPWELL_CONF=$work/blind.yaml
run list --json
is 'without summaries they are two' \
	"[('123', $bob), ('123', $alice)]" "$(query_json "$work/out" \
	"sorted([(i['id'], i['uid']) for i in r['recordings']
		 if i['id'] == '123'], key=lambda i: -i[1])")"
run list
check 'and each has its user' has "123 (4 steps, of user $bob)"
check 'and it is said' says 'there is no digest in'
run report 123
check 'which of them has to be said' is_status 2
check 'how' says "or --user"
run report --user $bob 123
check 'one is reported' is_status 0
check 'as what its user says' has "This is what user $bob claims"
run report --json --user $bob 123
is 'also in JSON' claim "$(query_json "$work/out" "r['recording']['trust']")"
cat >"$work/bin/sacct" <<EOF
#!/bin/sh
echo '123|COMPLETED|0:0|1780000000|1780000100|100|60|8|1||1G|1:0||c1|$bob|n1||||||'
EOF
chmod 755 "$work/bin/sacct"
PATH=$work/bin:$PATH run report --json 123
check 'accounting tells them apart' is_status 0
check 'and is believed' has '"elapsed_seconds"'
mv "$STEPWELL_HISTORY" "$work/kept"
run import
check 'what others say is not taken' says 'there is no digest to check it'
check 'nothing of it' is_status 3
run import --claims
check 'unless that is asked for' has_runs 12 12
check 'and nobody takes the place of another' has '12 in the history'
mv "$work/kept" "$STEPWELL_HISTORY"
rm "$profiles/$alice/c1.123.1780000002.n1.stepwell"
export STEPWELL_CONF=$work/settings.yaml

# A part of another's job is a hint: it takes nothing from a vouched user.
before=$work/before.json
run report --json 500
cp "$work/out" "$before"
staged c1.501.1780000004.n1.stepwell 1 job=501 uid=$bob nodes=1 het=500+1
staged c1.502.1780000004.n1.stepwell 1 job=502 uid=$bob nodes=1 array=500_3
staged c1.503.1780000004.n1.stepwell 1 job=503 uid=$bob nodes=1 het=500+1
# Named like the file of the whole job.
staged c1.500.1780000004.n1.stepwell 1 job=504 uid=$bob nodes=1 array=500_3
for job in 500 501 502 503; do
	delivered $bob c1.$job.1780000004.n1.stepwell
done
run report --json 500
check "claims of parts: the report of the other's job: status" is_status 0
is 'claims of parts: it is what it was' "$(cat "$before")" "$(cat "$work/out")"
run list --json
is 'a component whose number does not fit is a job by itself' 1 \
	"$(query_json "$work/out" \
	"[i['id'] for i in r['recordings']].count('503')")"
# A job that one user alone claims, but that Slurm knows as another's.
cat >"$work/bin/sacct" <<EOF
#!/bin/sh
echo '502|TIMEOUT|0:0|1780000004|1780000104|100|60|8|1||1G|1:0||c1|$alice|n1||||||'
EOF
staged c1.502.1780000005.n1.stepwell 1 job=502 uid=$bob nodes=1
delivered $bob c1.502.1780000005.n1.stepwell
rm "$profiles/$bob/c1.502.1780000004.n1.stepwell"
PATH=$work/bin:$PATH run report 502
check "Slurm's record of another is not shown" lacks TIMEOUT
check 'and why' has "sacct knows the job as another user's"
sed "s/$alice/$bob/" "$work/bin/sacct" >"$work/sacct"
cat "$work/sacct" >"$work/bin/sacct"
PATH=$work/bin:$PATH run report 502
check 'that of the same user is' has TIMEOUT
rm "$profiles/$bob"/c1.50[0-9].*

# A user's own job, altered.
staged c1.500.1780000003.n1.stepwell 1 job=500 uid=$alice nodes=1 tasks=9
as $alice sh -c 'cat "$1" >"$2"' sh "$stage/c1.500.1780000003.n1.stepwell" \
	"$profiles/$alice/$a1"
run list --json
is 'an altered one does not count' 1 "$(recorded)"
check 'and is named' says "the recorder's digest of this job"
run report "$profiles/$alice/$a1"
check 'named by its path it is read' is_status 0
check 'as what it is' has 'altered or foreign'
as $alice sh -c 'cat "$1" >"$2"' sh "$stage/$a1" "$profiles/$alice/$a1"

# --- summaries

{
	echo 'table step_summaries job slurm'
	printf 'column %s - text\n' cluster job_name step_id final_source
	printf 'column %s - state\n' job_id uid start_realtime_usec \
		end_realtime_usec need_bytes usage_usec wait_status
	echo "row c1 evil 0 hook 777 $bob 1780000000000000 1780000100000000 1 1 0"
} >"$work/text"
"$builddir/test/mkprofile" "$work/text" "$stage/2026-05-29.n1.stepwell"
chmod 644 "$stage/2026-05-29.n1.stepwell"
as $alice cp "$stage/2026-05-29.n1.stepwell" "$profiles/$alice"
run import
check 'a summary among profiles is none' has_runs 8 0
run import "$profiles/$alice/2026-05-29.n1.stepwell"
check 'nor is it when it is named' says 'summaries count only in the folder'
check 'and gives nothing' is_status 3
as $alice sh -c 'cp "$1" "$2" 2>/dev/null' sh \
	"$stage/2026-05-29.n1.stepwell" "$summaries"
run import "$summaries"
check 'where they count no user can write' lacks '2 runs'
cp "$stage/2026-05-29.n1.stepwell" "$summaries"
chown $alice "$summaries/2026-05-29.n1.stepwell"
run import "$summaries"
check 'nor does one of another owner count' lacks '2 runs'
chown $keeper "$summaries/2026-05-29.n1.stepwell"
run import "$summaries"
check "the recorder's own does" has_runs 2 2
chmod 770 "$summaries"
run import "$summaries"
check 'but not where others could write' lacks '2 runs'
chmod 750 "$summaries"
rm "$profiles/$alice/2026-05-29.n1.stepwell" \
	"$summaries/2026-05-29.n1.stepwell"

# --- obstructing names

as $alice mkdir "$profiles/$nobody_yet"
as $alice cp "$stage/$b1" "$profiles/$nobody_yet"
as $alice ln -s "$profiles/$alice" "$profiles/23010"
as $alice ln -s /etc/shadow "$profiles/23011"
as $alice touch "$profiles/23012" "$profiles/notes"
as $alice mkfifo "$profiles/23013" "$profiles/$alice/c1.9.1.n1.stepwell"
as $alice ln -s /etc/shadow "$profiles/$alice/c1.10.1.n1.stepwell"
as $alice sh -c 'echo garbage >"$1"' sh \
	"$profiles/$alice/c1.123.1780000009.n9.stepwell"
for words in 'list' 'report 123' 'import' 'suggest 123'; do
	# shellcheck disable=SC2086
	timeout 120 "$stepwell" $words >"$work/out" 2>"$work/err" </dev/null
	status=$?
	[ "$words" = 'suggest 123' ] && [ "$status" = 3 ] && status=0
	[ "$words" = 'import' ] && [ "$status" = 4 ] && status=0
	check "$words goes on" is_status 0
done
run list
check 'one line for all of them' \
	test "$(grep -c 'skipped 5 names' "$work/err")" -eq 1
check 'both jobs are there' has '500 (4 steps)'
check 'and the other, which has its user' has "123 (4 steps, of user $bob)"
unchanged 'names in the way'
# He was denied this folder; his own is another.
as $nobody_yet mkdir "$profiles/$nobody_yet.1"
staged c1.600.1780000000.n1.stepwell 1 job=600 uid=$nobody_yet nodes=1
as $nobody_yet cp "$stage/c1.600.1780000000.n1.stepwell" \
	"$profiles/$nobody_yet.1"
as $nobody_yet env XDG_STATE_HOME="$work/nowhere" "$work/bin/own" list \
	>"$work/out" 2>"$work/err"
check 'a squatted folder: its user has another' has '600 (4 steps)'
check 'and is told' says "\"$nobody_yet\" in"
run list
check 'and root sees it' has '600 (4 steps)'
rm -r "${profiles:?}"/2301? "${profiles:?}/$nobody_yet" \
	"${profiles:?}/$nobody_yet.1" "$profiles/notes" \
	"$profiles/$alice"/c1.9.* "$profiles/$alice"/c1.10.* \
	"$profiles/$alice/c1.123.1780000009.n9.stepwell"

# --- files that change while being opened

# A recording of root's that must never be shown through a link.
staged secret.stepwell 1 job=999 uid=$alice nodes=1
chmod 600 "$stage/secret.stepwell"
# shellcheck disable=SC2016
as $alice sh -c 'cd "$1" || exit 1
	ln -s "$2" link; mkfifo pipe; cp "$3" file
	while [ ! -e "$4" ]; do
		for what in file link pipe; do
			ln -f $what c1.501.1.n1.stepwell.new 2>/dev/null &&
				mv -f c1.501.1.n1.stepwell.new \
					c1.501.1.n1.stepwell
		done
	done' sh "$profiles/$alice" "$stage/secret.stepwell" "$stage/$a1" \
	"$work/stop" &
swapper=$!
leaks=0 stuck=0
for _ in $(seq 40); do
	timeout 60 "$stepwell" list >"$work/out" 2>"$work/err" </dev/null
	[ $? -lt 124 ] || stuck=$((stuck + 1))
	! grep -q '^999' "$work/out" || leaks=$((leaks + 1))
	timeout 60 "$stepwell" report --brief \
		"$profiles/$alice/c1.501.1.n1.stepwell" >"$work/out" \
		2>"$work/err" </dev/null
	[ $? -lt 124 ] || stuck=$((stuck + 1))
	! grep -q 'job 999' "$work/out" || leaks=$((leaks + 1))
done
touch "$work/stop"
wait "$swapper"
is 'a file that is swapped: nothing hangs' 0 $stuck
is 'and no link is followed' 0 $leaks
rm "$profiles/$alice"/c1.501.* "$profiles/$alice"/{link,pipe,file}

# All accesses to a user's folder are below the opened one, and follow no links.
if strace -o "$work/trace" true 2>/dev/null; then
	for words in 'list' 'report 500' 'import'; do
		# shellcheck disable=SC2086
		strace -f -e trace=open,openat -o "$work/trace" "$stepwell" \
			$words >"$work/out" 2>"$work/err" </dev/null
		check "$words: it opened the file" grep -q "\"$a1\"" "$work/trace"
		is "$words: never by its path, nor through a link" '' \
			"$(grep -F "$a1" "$work/trace" |
				grep -E 'AT_FDCWD|open\(' ; grep -F "\"$a1\"" \
				"$work/trace" | grep -v O_NOFOLLOW)"
	done
else
	echo '# how files are opened is not looked at: no strace'
fi

# A folder that becomes a link.
# shellcheck disable=SC2016
as $alice sh -c 'mv "$1" "$1.was" && ln -s "$2" "$1"' sh \
	"$profiles/$alice" "$profiles/$bob"
run list
check 'a folder that became a link: the others are there' has '123 (4 steps)'
check 'it is skipped' says 'a link, so not a folder of that user'
rm "$profiles/$alice"
mv "$profiles/$alice.was" "$profiles/$alice"

# --- files that become large

in_memory() { # MIB ARGUMENT...: with no more than so much to address
	local mib=$1
	shift
	if nm "$stepwell" 2>/dev/null | grep -q __asan; then
		run "$@"	# it has memory of its own
		return
	fi
	prlimit --as=$((mib << 20)) "$stepwell" "$@" >"$work/out" \
		2>"$work/err" </dev/null
	status=$?
}

for kind in series.cpu events; do
	bomb=$stage/c1.700.1780000000.n1.stepwell
	# shellcheck disable=SC2046
	"$builddir/test/mkbomb" "$bomb" 8000 $alice 700 $kind \
		$([ $kind = series.cpu ] || echo texts) || exit 99
	chmod 644 "$bomb"
	as $alice cp "$bomb" "$profiles/$alice"
	echo "# a bomb of $(stat -c %s "$bomb") bytes"
	in_memory 400 list
	check "$kind that become large: list" is_status 0
	check "$kind that become large: the others" has '500 (4 steps)'
	in_memory 400 report --brief 123
	check "$kind that become large: a report" is_status 0
	in_memory 400 import
	check "$kind that become large: import" has '8 runs'
	in_memory 1500 report 700
	check "$kind that become large: its own report ends" \
		test "$status" -le 4
	rm "$profiles/$alice/c1.700.1780000000.n1.stepwell" "$bomb"
done
in_memory 400 list
check 'as much is enough for all that is right' is_status 0

finish
