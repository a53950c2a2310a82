#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Check the vocabulary: strings that a person may read, and pages, use only
# words of the field; NEWS may use others, since it names what was renamed.  A
# line of test/words.list has a pattern (extended, case-insensitive) and the
# replacement; for exceptions a line of test/words.allowed has the surrounding
# text.
# shellcheck disable=SC2154 # what make sets
set -u
srcdir=${abs_top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
list=$srcdir/test/words.list allowed=$srcdir/test/words.allowed
work=$(mktemp -d "${TMPDIR:-/tmp}/stepwell-words.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

# strings FILE...: print "FILE: text" for each literal, joining adjacent ones.
strings()
{
	awk '
	function flush_file(   rest, start) {
		gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", text)
		gsub(/\047\\?"\047/, " ", text)
		gsub(/\n[ \t]*#[ \t]*include[^\n]*/, "", text)
		gsub(/"[ \t\n\\]*"/, "", text)
		while (match(text, /"([^"\\\n]|\\.)*"/)) {
			start = substr(text, RSTART + 1, RLENGTH - 2)
			text = substr(text, RSTART + RLENGTH)
			if (start ~ /[A-Za-z] /)
				print name ": " start
		}
	}
	FNR == 1 { if (NR > 1) flush_file(); text = ""; name = FILENAME }
	{ text = text "\n" $0 }
	END { flush_file() }' "$@"
}

# pages FILE...: print "FILE: text", one line for each paragraph.
pages()
{
	awk '
	FNR == 1 || /^$/ || /^[.|#]/ {
		if (text)
			print name ": " text
		text = ""
		name = FILENAME
	}
	!/^\.\\"/ { text = text " " $0 }
	END { if (text) print name ": " text }' "$@"
}

cd "$srcdir" || exit 99
find analyzer recorder spank slurmdb common profiles advice -name '*.[ch]' |
	sort | xargs awk 'FNR == 1 { print FILENAME }' >"$work/files"
# shellcheck disable=SC2046 # names of ours have no blanks
strings $(cat "$work/files") >"$work/text"
pages README.md HACKING.md profiles/FORMAT.md man/*.[1578] man/*.in \
	recorder/README.md recorder/*/README.md analyzer/*/README.md \
	analyzer/*/*/README.md \
	slurmdb/README.md >>"$work/text"

[ "$(wc -l <"$work/text")" -gt 1500 ] || {
	echo "not ok - the strings were not found: $(wc -l <"$work/text")"
	exit 1
}
failed=0
while IFS='	' read -r pattern better; do
	case $pattern in '' | '#'*) continue ;; esac
	grep -iE -- "$pattern" "$work/text" |
		grep -vF -f "$allowed" >"$work/hits" || continue
	failed=1
	echo "not ok - \"$pattern\": $better"
	sed 's/^/#   /' "$work/hits"
done <"$list"
# Verify that a phrase split over two literals is found.
printf 'const char *a = "waits for "\n\t"storage";\n' >"$work/plant.c"
if strings "$work/plant.c" | grep -q 'waits for storage'; then
	echo "ok - a phrase over two literals is seen"
else
	echo "not ok - a phrase over two literals is not seen"
	failed=1
fi
[ $failed -ne 0 ] || echo "ok - $(wc -l <"$work/text") texts, $(grep -cE \
	'^[^#]' "$list") patterns"
exit $failed
