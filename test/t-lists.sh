#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Nothing is left out in silence: each file of the sources is built, each rule and
# each dialect is in its list, and each folder of recordings is of a finding.
set -u
top=${abs_top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
. "$top/test/lib.sh"
# shellcheck disable=SC2154 # what lib.sh sets
copy=$work/copy
mkdir "$copy"
(cd "$top" && find common profiles recorder advice analyzer spank slurmdb \
	test/rules test/unit \( -name '*.c' -o -name Makefile.inc -o \
	-name fires.txt \) -exec cp --parents -t "$copy" {} +)

# list NAME: the files of a list in analyzer/Makefile.inc
list()
{
	sed -n "/^$1 = /,/[^\\\\]\$/p" "$copy/analyzer/Makefile.inc" |
		grep -o 'analyzer/[^ ]*\.c'
}

# unlisted KIND LIST: files that define one and are not in its list
unlisted()
{
	grep -rlE "^const struct sw_$1 sw_$1_[a-z_]+ = " analyzer |
		grep -v '_template\.c$' | grep -vxF "$(list "$2")" |
		sed "s/\$/: add it to $2 in analyzer\/Makefile.inc/"
}

# What is wrong in the copy, a line each.
left_out()
{
	local id
	cd "$copy" || exit
	find . -name Makefile.inc -exec grep -ohE '[a-z0-9_/.]+\.c' {} + |
		sort -u >"$work/named"
	find common profiles recorder advice analyzer spank slurmdb \
		-name '*.c' | sort | comm -23 - "$work/named" |
		sed 's/$/: not built, as no Makefile.inc names it/'
	unlisted rule ANALYZER_RULES
	unlisted dialect ANALYZER_DIALECTS
	for id in test/rules/*/; do
		id=$(basename "$id")
		[ "$id" = template.example ] ||
			[ -e "analyzer/rules/rule_${id//./_}.c" ] ||
			echo "test/rules/$id: recordings of no finding"
	done
}

is "nothing is left out" "" "$(left_out)"

cd "$copy" || exit 99
echo 'int sw_planted;' >recorder/log/planted.c
echo 'const struct sw_rule sw_rule_planted = {' >analyzer/rules/rule_planted.c
echo 'const struct sw_dialect sw_dialect_planted = {' \
	>analyzer/dialects/dialect_planted.c
sed -i 's,^\tanalyzer/dialects/dialects.c,\tanalyzer/dialects/dialect_planted.c \\\n&,' \
	analyzer/Makefile.inc
mkdir test/rules/stray
is "what is left out is said, and where to add it" \
"analyzer/rules/rule_planted.c: not built, as no Makefile.inc names it
recorder/log/planted.c: not built, as no Makefile.inc names it
analyzer/rules/rule_planted.c: add it to ANALYZER_RULES in analyzer/Makefile.inc
analyzer/dialects/dialect_planted.c: add it to ANALYZER_DIALECTS in analyzer/Makefile.inc
test/rules/stray: recordings of no finding" "$(left_out)"

# "make lines": code, comments and tests of a room that is planted.
mkdir -p test/unit/recorder/planted recorder/planted man bench packaging contrib
cp "$top/test/lines" test/lines
printf '/* Two\n * lines */\nint planted;\n\n' >recorder/planted/planted.c
printf '\n\n\n' >test/unit/recorder/planted/check_planted.c
printf '1\n2\n' >test/rules/stray/fires.txt
printf '%s\n' before '<!-- lines: written by "make lines" -->' old \
	'<!-- end of lines -->' behind >page
fixtures=$(find test/rules -name fires.txt -exec cat {} + | wc -l)
test/lines page && test/lines page
is "make lines: code, comments, tests and fixtures, once" \
	"| recorder/planted | 1 | 2 | 3 |  |
| test/rules |  |  |  | $fixtures |" \
	"$(grep -e '^| recorder/planted |' -e '^| test/rules |' page)"
is "what is around the table stays" "before 1 0 behind" \
	"$(head -n 1 page) $(grep -c '^| room' page) $(grep -cx old page) $(
		tail -n 1 page)"
tally
