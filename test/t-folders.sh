#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The folders of users below profile_dir, with three users: names taken by
# somebody else keep nobody from his profiles, and nothing is written to folders
# that are not the user's own.
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/mounts-lib.sh"
. "$top/test/lib.sh"
. "$top/test/node-lib.sh"
. "$top/test/fuse-lib.sh"
trap 'unstall_all; stop_recorder KILL; clean' EXIT
export INVOCATION_ID=folders
bob=65531		# who takes the names of others

as_bob()
{
	setpriv --reuid $bob --regid $bob --clear-groups "$@"
}

as_user()
{
	setpriv --reuid $user --regid $user --clear-groups "$@"
}

# Create the folder as an administrator does.
make_profiles()
{
	rm -rf "$profiles"
	install -d -m 3773 -o root -g $keeper "$profiles"
}

# deliver ID: end a job of the user's; prints the folder of its profile
deliver()
{
	play --item "S_JOB_ID=$1" --step batch -- true
	await sh -c "find '$profiles' -name '*.$1.*.stepwell' | grep -q ."
	find "$profiles" -name "*.$1.*.stepwell" -printf '%P\n' | cut -d/ -f1
}

# of WHAT: print owner, group and mode
of()
{
	stat -c '%u %g %a' "$profiles/$1"
}

make_profiles
start_recorder
is "root makes the folder and gives it to the user" \
	"$user $user $keeper 2750" "$(deliver 51) $(of $user)"
make_profiles
install -d -m 700 -o $user -g $user "$profiles/$user"
is "one that he has is used" "$user $user $user 2700" "$(deliver 52) $(of $user)"

### taken names: a folder, links, a file, a fifo
mkdir -m 777 "$work/catch"
chown $bob "$work/catch"
number=60
for trap in "mkdir -m 777 $user" "ln -s $work/catch $user" \
	"ln -s nothing $user" "touch $user" "mkfifo $user" \
	"mkdir -m 777 $user $user.1"; do
	number=$((number + 1))
	make_profiles
	(cd "$profiles" && as_bob sh -c "umask 0; $trap")
	where=$(deliver $number)
	is "$trap: he has a folder all the same" "$user $keeper 2750" \
		"$(of "$where")"
	is "$trap: another one" "yes" \
		"$([ "$where" != $user ] && echo yes || echo "$where")"
	is "$trap: which holds what comes next" "$where" \
		"$(deliver $((number + 10)))"
	as_user test -r "$(of_job $number)"
	is "$trap: he can read it, nobody else" "0 1" "$? $(as_bob cat \
		"$(of_job $number)" >/dev/null 2>&1; echo $?)"
done
is "bob has caught nothing" "" "$(find "$work/catch" -type f)"
is "what is to be seen is whose folder it is" "$bob" "$(stat -c %u \
	"$profiles/$user")"

# All possible names are taken.
make_profiles
(cd "$profiles" && as_bob mkdir $user $user.{1,2,3,4,5,6,7,8,9})
is "all names are taken: the first is moved aside" "$user" "$(deliver 81)"
is "it stays bob's, and empty" "$bob 0" "$(
	stat -c %u "$profiles/$user".not-its-owner.*) $(
	find "$profiles/$user".not-its-owner.* -mindepth 1 | wc -l)"
is "which is said once" 1 "$(grep -c 'was not owned by the user' "$work/log")"

# The same with a mount on each, so that none can be moved; and the names to
# which an earlier version moved them.
make_profiles
(cd "$profiles" && as_bob mkdir $user $user.{1,2,3,4,5,6,7,8,9})
for name in "$profiles/$user" "$profiles/$user".?; do
	mount -t tmpfs -o mode=755,uid=$bob none "$name"
done
spare=$(deliver 83)
is "all names are taken and busy: a spare one is made" 1 \
	"$(grep -cE "^$user\.x[0-9a-f]{16}$" <<<"$spare")"
is "which is his, and used again" "$user $keeper 2750 $spare" \
	"$(of "$spare") $(deliver 84)"
echo "profile_dir: $profiles" >"$work/of-reports.yaml"
is "root finds what is in it" 0 "$(STEPWELL_CONF=$work/of-reports.yaml \
	"$stepwell" report --no-sacct 84 >/dev/null 2>&1; echo $?)"
umount "$profiles/$user" "$profiles/$user".?

# A folder that an administrator has mounted for the user is his.
make_profiles
mkdir "$profiles/$user"
mount -t tmpfs -o mode=2750,uid=$user,gid=$user none "$profiles/$user"
is "a mount of root's for him is his" "$user" "$(deliver 87)"
umount "$profiles/$user"

if has_fuse; then
	# A file system of bob's reports the user as owner, as FUSE with
	# allow_other may.  Nothing in it was recorded for the user.
	make_profiles
	as_bob mkdir "$profiles/$user"
	stall "$profiles/$user" --mounter $bob
	chown $user "$profiles/$user"
	chmod 700 "$profiles/$user"
	cp "$top/test/fixtures/profiles/v1.1.stepwell" \
		"$profiles/$user/forged.stepwell"
	chown $user "$profiles/$user/forged.stepwell"
	is "what is mounted on the name is not his, whatever it says" \
		"$user.1" "$(deliver 86)"
	is "and nobody reads it" "0, for it is mounted by another user" "$(
		STEPWELL_CONF=$work/of-reports.yaml "$stepwell" list \
		--no-sacct 2>"$work/err" | grep -c forged), for it is $(grep \
		-o 'mounted by another user' "$work/err")"
	is "by its path neither" "not a folder of user $user" "$(
		STEPWELL_CONF=$work/of-reports.yaml "$stepwell" report \
		--no-sacct "$profiles/$user/forged.stepwell" 2>&1 |
		grep -o 'not a folder of user [0-9]*')"
	unstall_all

	make_profiles
	as_bob mkdir "$profiles/$user"
	stall "$profiles/$user" --never all
	play --item S_JOB_ID=82 --step batch -- true
	await sh -c "ls '$profiles/$user.1' | grep -q '\.82\.'"
	is "a name that does not answer is not asked" 0 $?
	unstall_all
fi

### retention knows all of them
stop_recorder
echo 'user_max_mib: 1' >"$work/stepwell.yaml"
recorder_options()
{
	printf '%s\n' --node --socket "$run/socket" --spool "$spool" \
		--profile-dir "$profiles" --off-file "$work/off" \
		--drop-file "$drop" --summaries "$summaries" \
		--settings "$work/stepwell.yaml" \
		--slurm-conf "$work/slurm.conf"
}
start_recorder
make_profiles
for name in $user $user.1; do
	install -d -m 2750 -o $user -g $user "$profiles/$name"
	install -m 640 -o $user /dev/null "$profiles/$name/old.stepwell"
	touch -d '200 days ago' "$profiles/$name/old.stepwell"
done
is "of two folders of his the first is used" $user "$(deliver 83)"
await sh -c "[ -z \"\$(find '$profiles' -name old.stepwell)\" ]"
is "keep_days holds for both" "" "$(find "$profiles" -name old.stepwell)"
# Each is below the limit, both together are not.
for name in $user/first $user.1/second; do
	head -c 716800 /dev/urandom >"$profiles/$name.stepwell"
	chown $user "$profiles/$name.stepwell"
done
touch -d '2 days ago' "$profiles/$user.1/second.stepwell"
is "one more is delivered" $user "$(deliver 85)"
await sh -c "! [ -e '$profiles/$user.1/second.stepwell' ]"
is "user_max_mib holds for both together" "first.stepwell" "$(find "$profiles" \
	-name first.stepwell -printf %f -o -name second.stepwell -printf %f)"
stop_recorder

### where root cannot change owners: an export with root_squash
make_profiles
recorder=$work/recorder
cat >"$recorder" <<TEXT
#!/bin/sh
exec setpriv --bounding-set=-chown --inh-caps=-all \
	$abs_top_builddir/recorder/stepwell-recorder "\$@"
TEXT
chmod 755 "$recorder"
start_recorder
(cd "$profiles" && as_bob mkdir $user)
is "root may not chown: the user's child makes it" "$user.1 $user $keeper 2750" \
	"$(deliver 84) $(of $user.1)"
is "and nothing of root's is left" "" "$(find "$profiles" -user root \
	-mindepth 1)"
stop_recorder
tally
