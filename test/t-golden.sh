#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# "make golden": its tests write what is expected as it is in the tree, whatever
# was there before, and change nothing where nothing differs.  Without it they
# fail, and say what to type.
# shellcheck disable=SC2154 # what lib.sh sets
set -u
top=${abs_top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
# lib.sh may go to a copy that other users can enter, without the unit tests.
built=${abs_top_builddir:-$PWD}
. "$top/test/lib.sh"
copy=$work/copy

# A tree of links, but for what is written, and what find(1) is to look into.
mkdir "$copy"
ln -s "$top"/* "$copy"
rm "$copy/analyzer" "$copy/test"
cp -Rs "$top/analyzer" "$copy"
mkdir "$copy/test"
ln -s "$top"/test/* "$copy/test"
for name in reports rules fixtures interface.list; do
	rm "$copy/test/$name"
	cp -R "$top/test/$name" "$copy/test/$name"
	chmod -R u+w "$copy/test/$name"
done

# tests KIND: "units" or "shell", those that "make golden" runs
tests()
{
	sed -n "/^golden_$1 =/,/[^\\\\]\$/p" "$top/test/Makefile.inc" |
		grep -o 'test/[^ ]*[a-z]'
}

# each PATTERN [NAME=VALUE]: runs those tests on the copy
each()
{
	local test pattern=$1
	shift
	for test in $({ tests units; tests shell; } | grep -E "$pattern"); do
		case $test in
		*.sh) test=$top/$test ;;
		*) test=$built/$test ;;
		esac
		env abs_top_srcdir="$copy" abs_top_builddir="$built" TZ=UTC \
			CK_TIMEOUT_MULTIPLIER=10 "$@" "$test" 2>&1
	done
}

# What differs from the tree.
differing()
{
	local name
	for name in reports rules fixtures interface.list; do
		diff -rq "$top/test/$name" "$copy/test/$name"
	done | sed "s,.* $copy/test/\\(.*\\) differ$,\\1,"
}

# One of each kind is spoiled: its third "e", or a value.
spoiled='fixtures/outcomes/expected
fixtures/sources/memory/good/expected
interface.list
reports/job.json
reports/not_evaluated
reports/parts.html
reports/story.text.80
rules/net.bound/expected.txt'
for name in $spoiled; do
	case $name in
	*/sources/*) edit='s/^memory.current .*/memory.current 7/' ;;
	*) edit='s/e/x/3' ;;
	esac
	sed -i "$edit" "$copy/test/$name"
done
is "those are spoiled" "$spoiled" "$(differing | LC_ALL=C sort)"
each . >"$work/said"
# The words that the failure of each begins with.
while read -r words; do
	yes_ "of each it says what to type: $words" \
		grep -q -e "$words.*make golden" "$work/said"
done <<'END'
outcomes/expected differs
memory/good: memory.current is
interface.list;
reports/job.json differs
reports/not_evaluated differs
reports/parts.html differs
reports/story.text.80 differs
net.bound/expected.txt differs
END
each . UPDATE_GOLDEN=1 >"$work/said"
is "they are rewritten as they were, and no other is" "" "$(differing)"

# A column that is new is added, one that is no more leaves, in all trees.
sed -i '/^anon /d; s/^file .*/unknown 7/' "$copy"/test/fixtures/sources/memory/*/expected
rm "$copy/test/rules/net.bound/expected.txt"
each 'check_(sources|rules)$' UPDATE_GOLDEN=1 >"$work/said"
is "columns and files that are missing are written" "" "$(
	differing | grep -v /sources/
	for tree in "$top"/test/fixtures/sources/memory/*; do
		diff <(sort "$tree/expected") <(sort \
			"$copy${tree#"$top"}/expected")
	done)"

# Whatever a test holds against a file of the tree is in "make golden".
# shellcheck disable=SC2046
is "each test with such files is one of those of \"make golden\"" "" "$(
	cd "$top" && grep -rlE '(golden_(file_)?compare|fixture_check_finding)\(|UPDATE_GOLDEN' \
		--include='check_*.c' --include='t-*.sh' test |
		sed 's/\.c$//' | grep -v -e t-golden.sh -e check_rule_cases |
		grep -vxF "$(tests units; tests shell)")"

# one NAME TESTS PROGRAMS: what "make one" would make first
one()
{
	env MAKE=echo "$top/test/one" "$@" 2>&1 | head -n 1
}
is "a script gets the programs that it or its library names" \
	"test/mkprofile test/mknode" "$(one t-interface \
	'test/t-interfaces.sh test/t-interface.sh' \
	'test/mkprofile test/mkbomb test/mknode test/workloads/w_cpu')"
is "a unit test gets itself and what it loads" \
	"test/unit/a/check_b test/nvml/libnvidia-ml.so.1" "$(one check_b \
	'test/unit/a/check_b test/unit/a/check_bc' \
	'test/unit/a/check_b test/mkbomb test/nvml/libnvidia-ml.so.1')"
is "a name that two tests have is refused" \
	"one: check_b names several tests, so none was run: a/check_b b/check_b" \
	"$(one check_b 'a/check_b b/check_b' '')"
is "so is one that none has" 'one: no test is called "unknown", so none was run;' \
	"$(one unknown 'a/check_b b/check_b' '' | grep -o '^.*run;')"
tally
