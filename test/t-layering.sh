#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# layering.sh detects an upward include, planted in each room, and a file
# outside the rooms: it only needs a copy of the sources.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

srcdir=${abs_top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
copy=$work/copy
mkdir "$copy"
(cd "$srcdir" && find common profiles recorder advice analyzer spank \
	contrib slurmdb -name '*.[ch]' -exec cp --parents -t "$copy" {} + &&
	find ./*/ -name Makefile.inc -exec cp --parents -t "$copy" {} +)

# all_said: print layering.sh's complaints about the copy; said: except of files
# that no list compiles, which all planted ones are.
all_said()
{
	abs_top_srcdir=$copy sh "$srcdir/test/layering.sh" 2>/dev/null |
		grep -E '^(not ok|#  )'
}

said()
{
	all_said | grep -vE 'each source file is compiled|in no Makefile.inc'
}

# rooms FOLDER: print the list of layering.sh, callers first
rooms()
{
	sed -n "/^rooms_$1='/,/'\$/p" "$srcdir/test/layering.sh" |
		sed "s/^rooms_$1=//" | tr -d "'" | tr -s ' \t' '\n' | grep .
}

is "as it is nothing is wrong" "" "$(all_said)"
echo >"$copy/analyzer/rules/rule_planted.c"
is "a rule that no list compiles is refused" yes \
	"$(all_said | grep -q 'rule_planted.c: in no Makefile.inc' && echo yes)"
rm "$copy/analyzer/rules/rule_planted.c"

# A second reader of records is found in each room that had one.
for room in import history report sweep/night records; do
	# shellcheck disable=SC2016
	printf '%s\n' 'char *f(char *line) { return strsep(&line, "|"); }' \
		>"$copy/analyzer/$room/planted.c"
	is "analyzer/$room may not divide sacct's lines" 1 "$(said |
		grep -c "analyzer/$room/planted.c:1:")"
	echo "char *g(char *line) { return strchr(line, '|'); }" \
		>"$copy/analyzer/$room/planted.c"
	is "nor character by character in analyzer/$room" 1 "$(said |
		grep -c "analyzer/$room/planted.c:1:")"
	echo 'const char *format = "JobID,JobIDRaw,State";' \
		>"$copy/analyzer/$room/planted.c"
	is "nor ask sacct in analyzer/$room for fields of its own" 1 "$(said |
		grep -c "analyzer/$room/planted.c:1:")"
	rm "$copy/analyzer/$room/planted.c"
done

for folder in recorder analyzer; do
	first=$(rooms $folder | head -n 1)
	header=$(cd "$copy" && find "$folder/$first" -name '*.h' | sort |
		head -n 1)
	below=$(rooms $folder | sed 1d)
	for room in $below; do
		echo "#include \"$header\"" >"$copy/$folder/$room/planted.c"
	done
	words=$(said)
	for room in $below; do
		is "$folder/$room may not include $header" 1 \
			"$(grep -c "$folder/$room/planted.c:1: $header" \
				<<<"$words")"
		rm "$copy/$folder/$room/planted.c"
	done
	is "$folder has a list of rooms" yes \
		"$([ "$(rooms $folder | wc -l)" -gt 10 ] && echo yes)"
	is "each of them is there" "" "$(for room in $(rooms $folder); do
		[ -d "$copy/$folder/$room" ] || echo "$room"
	done)"
	echo '/* no room */' >"$copy/$folder/stray.c"
	is "$folder/stray.c belongs in a room" 1 \
		"$(said | grep -c "$folder/stray.c: belongs in a room")"
	rm "$copy/$folder/stray.c"
	mkdir "$copy/$folder/attic"
	echo '/* no room */' >"$copy/$folder/attic/stray.c"
	is "$folder/attic is no room" 1 \
		"$(said | grep -c "$folder/attic/stray.c: in no room")"
	rm -r "$copy/$folder/attic"
done

# Two files of a room that call each other through a third.
for pair in 'one two' 'two three' 'three one'; do
	# shellcheck disable=SC2086
	set -- $pair
	printf 'void sw_planted_%s(void)\n{\n\tsw_planted_%s();\n}\n' \
		"$1" "$2" >"$copy/recorder/log/planted_$1.c"
done
is "files of a room may not call each other in a circle" 3 \
	"$(said | grep -c 'tsort: recorder/log/planted_')"
rm "$copy"/recorder/log/planted_*.c

# The same where a function is only handed on, is defined over several lines, or
# is called behind a comment; and a comment that names one is no call.
cat >"$copy/recorder/log/planted_one.c" <<'EOF'
int sw_planted_one(int a,
		   int b)
{
	return sw_each(sw_planted_two);
}
EOF
cat >"$copy/recorder/log/planted_two.c" <<'EOF'
static const struct row rows[] = {
	{ "a", /* as it says */ sw_planted_one },
};
void sw_planted_two(void)
{
}
EOF
is "nor by handing each other on" 2 \
	"$(said | grep -c 'tsort: recorder/log/planted_')"
cat >"$copy/recorder/log/planted_two.c" <<'EOF'
/*
 * As sw_planted_one() does, with
	struct sw_planted_one one;
 */
void sw_planted_two(void)
{
	struct sw_planted_one one = { 0 };	/* not sw_planted_one() */
}
EOF
is "a comment and a structure of the name are no call" "" "$(said)"
rm "$copy"/recorder/log/planted_*.c

# Headers of a room that include each other.
for pair in 'one two' 'two three' 'three one'; do
	# shellcheck disable=SC2086
	set -- $pair
	echo "#include \"analyzer/print/planted_$2.h\"" \
		>"$copy/analyzer/print/planted_$1.h"
done
is "headers of a room may not include each other in a circle" 3 \
	"$(said | grep -c 'tsort: analyzer/print/planted_')"
rm "$copy"/analyzer/print/planted_*.h

# What the arrows say is not said again.
echo '- Called by: verbs/.' >"$copy/analyzer/print/README.md"
is "a README does not list who calls a room" yes \
	"$(said | grep -q 'analyzer/print/README.md:1:' && echo yes)"
rm "$copy/analyzer/print/README.md"

# An arrow that is not written as a path from the top is an arrow, too.
planted=$copy/recorder/log/planted.c
for way in '#include "../run/loop.h"' '#include <recorder/run/loop.h>' \
	'#include "recorder/log/../run/loop.h"' \
	'#  include "analyzer/view/view.h"' '#include "say.h"'; do
	echo "$way" >"$planted"
	is "recorder/log may not say $way" yes \
		"$(said | grep -q 'recorder/log/planted.c:1:' && echo yes)"
	rm "$planted"
done

# Readers of a process' stat beside the one that there is.
ways='snprintf(path, sizeof(path), "%d/stat", (int)pid);
fd = openat(folder, "stat", O_RDONLY);
FILE *file = fopen("/proc/self/stat", "r");
end = strrchr(text, '"')'"');
sscanf(end, ") %c %d", &state, &parent);
sscanf(text, "%d (%[^)]) %c", &pid, name, &state);'
for room in recorder/run spank contrib/lsf analyzer/doctor; do
	printf '%s\n' "$ways" >"$copy/$room/planted.c"
done
words=$(said)
for room in recorder/run spank contrib/lsf analyzer/doctor; do
	is "$room may not read /proc/PID/stat, in any of these ways" \
		"$(seq "$(wc -l <<<"$ways")")" \
		"$(sed -n "s|.*$room/planted.c:\([0-9]*\):.*|\1|p" \
			<<<"$words")"
	rm "$copy/$room/planted.c"
done

# A second home of what has one.
for what in 'run((const char *[]){ "scontrol", "show", "node", NULL });' \
	'hash = (hash ^ *p) * 0x100000001b3u;' \
	'long hz = sysconf(_SC_CLK_TCK);'; do
	echo "$what" >"$copy/analyzer/view/planted.c"
	is "analyzer/view may not say $what" yes \
		"$(said | grep -q 'analyzer/view/planted.c:1:' && echo yes)"
done
rm "$copy/analyzer/view/planted.c"

# Between the folders, and of foreign headers.
echo '#include "recorder/run/loop.h"' >"$copy/analyzer/view/planted.c"
is "the analyzer may not include from the recorder" yes \
	"$(said | grep -q 'analyzer/view/planted.c' && echo yes)"
echo '#include <sqlite3.h>' >"$copy/analyzer/view/planted.c"
is "sqlite3.h has one user" yes \
	"$(said | grep -q 'analyzer/view/planted.c' && echo yes)"
tally
