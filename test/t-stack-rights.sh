#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The user of stepwell-stack, and the processes it never sees: a hostile user's
# step with processes of all kinds of rights, under a recorder of root.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
top=${abs_top_srcdir:-$(dirname "$0")/..}
. "$top/test/lib.sh"
. "$top/test/node-lib.sh"

skip()
{
	echo "# skipped: $*"
	exit 77
}

command -v cc >/dev/null || skip 'no cc to build programs that hang'
case ",$(findmnt -no OPTIONS -T "$work")," in
*,nosuid,*) skip "no set-user-ID programs in $work" ;;
esac

# The recorder with another stepwell-stack, which reports its rights.
mkdir "$work/bin" "$work/secret"
chmod 700 "$work/secret"
mkfifo "$work/secret/token" "$work/end"
chmod 666 "$work/end"
cp "$recorder" "$work/bin/stepwell-recorder"
recorder=$work/bin/stepwell-recorder
cat >"$work/rights.c" <<'TEXT'
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

int main(void)
{
	char line[256], text[2048] = "";
	struct rlimit limit;
	FILE *status = fopen("/proc/self/status", "r");
	int tid;

	while (fgets(line, sizeof(line), status)) {
		if (strncmp(line, "Uid:", 4) && strncmp(line, "Groups:", 7) &&
		    strncmp(line, "Cap", 3) && strncmp(line, "NoNew", 5))
			continue;
		for (char *at = line; *at; at++)
			*at = *at <= ' ' ? ' ' : *at;
		strcat(text, line);
	}
	getrlimit(RLIMIT_NPROC, &limit);
	while (scanf("%d %*[^\n]", &tid) == 1)
		printf("%d %schildren %ld\n", tid, text, (long)limit.rlim_max);
	return 0;
}
TEXT
cat >"$work/hang.c" <<'TEXT'
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	uid_t uid = getuid();

	prctl(PR_SET_NAME, argv[1]);
	if (!strcmp(argv[1], "hidden"))
		prctl(PR_SET_DUMPABLE, 0);
	if (!strcmp(argv[1], "dropped") && setresuid(uid, uid, uid) < 0)
		return 1;
	if (!strcmp(argv[1], "saved") && setresuid(uid, uid, 0) < 0)
		return 1;
	if (argc > 2)
		return open(argv[2], O_RDONLY);
	return pause();
}
TEXT
cc -O2 -o "$work/bin/stepwell-stack" "$work/rights.c" &&
	cc -O2 -o "$work/bin/hang" "$work/hang.c" || exit 99
chmod 755 "$work/bin"/*
install -m 4755 "$work/bin/hang" "$work/bin/suid"
mkdir -m 3773 "$profiles"
start_recorder

play --item S_JOB_ID=81 --step batch -- sh -c "
	$work/bin/hang plain & pids=\"\$pids \$!\"
	$work/bin/hang hidden & pids=\"\$pids \$!\"
	$work/bin/suid suid $work/secret/token & pids=\"\$pids \$!\"
	$work/bin/suid dropped & pids=\"\$pids \$!\"
	$work/bin/suid saved & pids=\"\$pids \$!\"
	read line <$work/end; kill \$pids" &
playing=$!

# of PROGRAM COLUMN: print it from the table stacks, by the program in "hangs"
of()
{
	local file

	file=$(of_job 81)
	paste <(column "$file" hangs program) <(column "$file" hangs tid) |
		awk -v name="$1" '$1 == name { print $2 }' | while read -r tid; do
		paste <(column "$file" stacks tid) \
			<(column "$file" stacks "$2") |
			awk -F '\t' -v tid="$tid" '$1 == tid { print $2 }'
	done
}

has_plain()
{
	[ -n "$(of plain stack)" ]
}
await has_plain
plain=$(of plain stack | tr -s ' ')
is "stepwell-stack is the step's user" \
	"Uid: $user $user $user $user Groups: " "${plain%%Cap*}"
is "with no capability, nor any to come" 1 "$(grep -cE \
	'(Cap[A-Za-z]+: 0+ ){5}NoNewPrivs: 1 children 0$' <<<"$plain")"
for program in hidden suid dropped saved; do
	is "$program: left alone" "- rights" \
		"$(of $program stack) $(of $program left_out)"
done
is "what it waits for is not the user's to know" - "$(
	paste <(column "$(of_job 81)" hangs program) \
		<(column "$(of_job 81)" hangs object) |
	awk '$1 == "suid" { print $2 }')"
"$stepwell" report --json "$(of_job 81)" >"$work/report.json"
is "nowhere in it is the path" 0 "$(grep -c secret "$work/report.json")"
echo >"$work/end"
wait $playing
tally
