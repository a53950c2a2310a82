#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Check that every option, verb, finding, setting and counter is in its manual
# page, and that the pages have no errors.
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${abs_top_builddir:=$abs_top_srcdir}"
man=$abs_top_srcdir/man
stepwell=$abs_top_builddir/analyzer/stepwell
recorder=$abs_top_builddir/recorder/stepwell-recorder
passed=0
failed=0

result()
{
	if [ "$2" -eq 0 ]; then
		passed=$((passed + 1))
		echo "ok - $1"
	else
		failed=$((failed + 1))
		echo "not ok - $1"
	fi
}

# Print the path of page $1; pages with generated tables are in the build tree.
page()
{
	if [ -e "$abs_top_builddir/man/$1" ]; then
		echo "$abs_top_builddir/man/$1"
	else
		echo "$man/$1"
	fi
}

# Is word $2 in page $1? mdoc writes --name as "Fl -name".
in_page()
{
	sed 's/\\-/-/g; s/\\&//g; s/Fl -/--/g' "$(page "$1")" |
		grep -qF -- "$2"
	is_missing=$?
	result "$1 has $2" $is_missing
	[ $is_missing -eq 0 ] || echo "#   describe $2 in man/$1 (or man/$1.in)," \
		"unless a program fills that part of the page"
}

for page in "$man"/*.[1578] "$man"/*.in; do
	name=$(basename "$page" .in)
	# These macros quote the whole rest of their line.
	! grep -nE '^\..*\b(Qq|Ql|Dq|Sq) .*( [.,:;)]+ [^ .,:;)]|\b(Qq|Ql|Dq|Sq) )' \
		"$page"
	result "$name: quotes close where they should" $?
	if [ -n "${GROFF-$(command -v groff)}" ]; then
		complaints=$(groff -ww -mandoc -Tutf8 "$(page "$name")" 2>&1 \
			>/dev/null)
		[ -z "$complaints" ] || printf '%s\n' "$complaints"
		[ -z "$complaints" ]
		result "$name: no warning of groff" $?
	fi
	if [ -n "${MANDOC-}" ]; then
		complaints=$("$MANDOC" -T lint -W warning "$(page "$name")" 2>&1)
		[ -z "$complaints" ] || printf '%s\n' "$complaints"
		[ -z "$complaints" ]
		result "$name lints clean" $?
	fi
done

verbs=$("$stepwell" --help | sed -n 's/^  \([a-z]*\)  *[a-zA-Z].*/\1/p')
[ -n "$verbs" ]
result "stepwell --help lists verbs" $?
for verb in $verbs; do
	in_page stepwell.1 "$verb"
done

# List the options of a help with their values: "--step step".  Without those
# common to all commands or used only by stepwell itself.
of_help()
{
	sed -nE 's/^  (    |-[a-zA-Z], )?(--[a-z-]+)( [A-Z]+)?( .*)?$/\2\3/p' |
		grep -vE -- '--(foreground|reporter|help|version)$' |
		tr '[:upper:]' '[:lower:]' | sort
}

# List the options in lines of mdoc, in the same form; "Cm any | known | none"
# lists values that help names by one word.
of_mdoc()
{
	grep -oE 'Fl -[a-z-]+( (Ar|Cm) [a-z]+)?' |
		sed 's/Fl -/--/; s/ Ar / /; s/ Cm .*/ VALUE/' | sort -u
}

# Reduce values of $1 to VALUE if $2 lists them one by one.
as_listed()
{
	echo "$1" | while read -r option value; do
		echo "$2" | grep -qx -- "$option VALUE" && value=VALUE
		echo "$option${value:+ $value}"
	done
}

# Print part $2 of page $1, of verb $3 (all: "").
part()
{
	sed -n "/^\\.Sh $2/,/^\\.Sh/p" "$(page "$1")" | awk -v verb="$3" '
		verb == "" { print; next }
		/^\.Nm/ { is_its = 0 }
		$0 == ".Cm " verb { is_its = 1 }
		is_its'
}

# same WHAT HELP PAGE: compare options and values
same()
{
	expected=$(as_listed "$2" "$3")
	[ -n "$2" ] && [ "$expected" = "$3" ] ||
		printf 'help:\n%s\npage:\n%s\n' "$expected" "$3"
	[ -n "$2" ] && [ "$expected" = "$3" ]
	result "$1" $?
}

for verb in $verbs; do
	page=stepwell-$verb.1
	if [ "$verb" = run ]; then
		options=$("$recorder" --help | of_help)
	else
		options=$("$stepwell" "$verb" --help | of_help)
	fi
	if [ -e "$(page "$page")" ]; then
		same "$page lists the options of $verb" "$options" \
			"$(part "$page" DESCRIPTION '' | grep '^\.It Fl' |
				of_mdoc)"
		same "the synopsis of $page has the options of $verb" \
			"$options" "$(part "$page" SYNOPSIS '' | of_mdoc)"
	else
		same "the synopsis of stepwell.1 has the options of $verb" \
			"$options" \
			"$(part stepwell.1 SYNOPSIS "$verb" | of_mdoc)"
	fi
done

# All texts must have the same figure, which "make check-lapse" prints.
figures=$(cat "$abs_top_srcdir/README.md" "$man"/* \
	"$abs_top_srcdir/NEWS" "$abs_top_srcdir/HACKING.md" |
	tr '\n' ' ' | grep -oE '[0-9]+ bytes (per|for each|a) sample' | sort -u)
[ "$(echo "$figures" | wc -l)" -eq 1 ] && [ -n "$figures" ]
result "one figure for bytes per sample in all texts: $figures" $?

# Each JSON field and each setting, from the list of the interface.
list=$abs_top_srcdir/test/interface.list
while read -r schema page; do
	# Below "dialect_lines" are the names of dialects, which have a list.
	for key in $(sed -n "/\.dialect_lines\./d; s,^json $schema/1 ,,p" \
			"$list" | sed 's/.*\.//; s/\[\]$//' | sort -u); do
		in_page "$page" "$key"
	done
done <<'END'
backtest stepwell-backtest.1
diff stepwell-diff.1
doctor stepwell.1
doctor_nodes stepwell.1
dump stepwell.1
findings stepwell.1
groups stepwell-suggest.1
import stepwell-import.1
list stepwell-list.1
report stepwell-report.1
suggest stepwell-suggest.1
sweep stepwell-sweep.1
verify stepwell.1
END
schemas=$(sed -n 's,^json \([^/]*\)/.*,\1,p' "$list" | sort -u | wc -l)
[ "$schemas" -eq 13 ]
result "each schema of JSON has a page" $?
for key in $(sed -n 's/^setting \([a-z_]*\)$/\1/p' "$list"); do
	in_page stepwell.yaml.5 "$key"
done

findings=$("$stepwell" explain | cut -d' ' -f1)
[ -n "$findings" ]
result "stepwell explain lists findings" $?
for finding in $findings; do
	in_page stepwell-findings.7 "$finding"
	in_page stepwell.yaml.5 "$finding"
	for key in $("$stepwell" explain "$finding" |
		     sed -n '/^Settings/,$s/^  \([a-z_]*\) .*/\1/p'); do
		in_page stepwell.yaml.5 "$key"
	done
done

# same_list WHAT TABLE PAGE: the same words, in any order
same_list()
{
	table=$(echo "$2" | sort)
	listed=$(echo "$3" | sort)
	[ -n "$table" ] && [ "$table" = "$listed" ] ||
		printf 'table:\n%s\npage:\n%s\n' "$table" "$listed"
	[ -n "$table" ] && [ "$table" = "$listed" ]
	result "$1" $?
}

# The items of part $2 of page $1: "tovar" and "tovar_x2" of ".It Cm tovar , ..."
items()
{
	part "$1" "$2" '' | sed -n 's/^\.It Cm //p' | sed 's/ , /\n/g'
}

same_list "the verbs of stepwell.1 are those of the command" "$verbs
help" "$(items stepwell.1 DESCRIPTION)"
same_list "the dialects of stepwell-suggest.1 are those of the command" \
	"$("$stepwell" suggest --dialect list | grep -vx json)" \
	"$(items stepwell-suggest.1 DIALECTS)"
same_list "the methods of stepwell-backtest.1 are those of the command" \
	"$("$stepwell" backtest --method list)" \
	"$(items stepwell-backtest.1 METHODS)"
same_list "the findings of stepwell-findings.7 are those of the command" \
	"$findings" "$(sed -n 's/^\.Ss //p' "$(page stepwell-findings.7)" |
		grep '\.')"
same_list "the sources of stepwell-profile.5 are those of the recorder" \
	"$(sed -n '/ sw_sources\[\] = {/,/NULL/s/^	&sw_src_\(.*\),/\1/p' \
		"$abs_top_srcdir/recorder/sampler/sources.c")" \
	"$(sed -n 's/^\.Ss series\.//p' "$(page stepwell-profile.5)" |
		grep -vx -e recorder -e step_programs)"
# What the page has more than settings are columns of the catalogue.
for key in $(sed -n 's/^\.It Ic \([a-z_ ,]*\).*/\1/p' \
		"$man/stepwell.yaml.5.in" | tr -d ,); do
	grep -qs "\"$key\"" "$abs_top_srcdir"/analyzer/settings/*.c \
		"$abs_top_srcdir"/analyzer/nodes/*.c "$abs_top_srcdir"/common/*.c "$abs_top_srcdir"/analyzer/rules/*.c
	result "$key of stepwell.yaml.5 is read" $?
done

profile=$(mktemp)
if "$stepwell" run --no-report --force --output "$profile" -- true; then
	for name in $("$stepwell" dump "$profile" |
		      sed -n 's/^# table \([^,]*\),.*/\1/p'); do
		in_page stepwell-profile.5 "$name"
	done
else
	result "a profile can be made to read its tables from" 1
fi
rm -f "$profile"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
