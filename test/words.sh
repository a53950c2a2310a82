#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The words of the programs: no string that a person may read, and no page,
# uses a word or a phrase that the field does not.  A line of test/words.list has
# a pattern (extended, no case) and what to say; where a hit is right, a line of
# test/words.allowed has the text around it.
# Comments are prose, too: a sentence names its subject first.
# shellcheck disable=SC2154 # what make sets
set -u
srcdir=${abs_top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
list=$srcdir/test/words.list allowed=$srcdir/test/words.allowed
work=$(mktemp -d "${TMPDIR:-/tmp}/stepwell-words.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

# strings FILE...: "FILE: text" of each literal, the adjacent ones joined.
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

# pages FILE...: "FILE: text", a paragraph as one line.
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

# comments FILE...: "FILE: text" of each comment, C's or the shell's
comments()
{
	awk '
	function flush_comment() {
		gsub(/[ \t\n]+/, " ", text)
		if (text ~ /[A-Za-z] [A-Za-z]/ && text !~ /SPDX/)
			print name ": " text
		text = ""
	}
	FNR == 1 { flush_comment(); is_open = 0; name = FILENAME
		is_c = FILENAME ~ /\.[ch]$/ }
	!is_c {
		if (/^[ \t]*# / && !/shellcheck/) {
			sub(/^[ \t]*# /, "")
			text = text " " $0
		} else
			flush_comment()
		next
	}
	{
		line = $0
		while (line != "") {
			if (is_open)
				sub(/^[ \t]*\*+ /, "", line)
			else if (!(at = index(line, "/*")))
				break
			else
				line = substr(line, at + 2)
			is_open = 1
			if ((at = index(line, "*/"))) {
				text = text " " substr(line, 1, at - 1)
				line = substr(line, at + 2)
				is_open = 0
				flush_comment()
			} else {
				text = text " " line
				line = ""
			}
		}
	}
	END { flush_comment() }' "$@"
}

# prose: what of the sentences read does not name its subject first, after
# "COUNT sentences"
prose()
{
	awk '
	{
		at = index($0, ": ")
		name = substr($0, 1, at)
		text = substr($0, at + 2)
		while (text != "") {
			if (match(text, /[.!?] +[A-Z"]/)) {
				sentence = substr(text, 1, RSTART)
				text = substr(text, RSTART + RLENGTH - 1)
			} else {
				sentence = text
				text = ""
			}
			sub(/^ +/, "", sentence)
			if (sentence !~ / /)
				continue
			count++
			if (sentence ~ /^(Of|Who|Whom|Whose|What|Whether|One|Where|That|Which|How) /)
				list = list name " " sentence "\n"
		}
	}
	END { printf "%d sentences\n%s", count, list }' "$@"
}

cd "$srcdir" || exit 99
find analyzer recorder spank slurmdb common profiles advice -name '*.[ch]' |
	sort | xargs awk 'FNR == 1 { print FILENAME }' >"$work/files"
# shellcheck disable=SC2046 # names of ours have no blanks
strings $(cat "$work/files") >"$work/text"
pages README.md HACKING.md NEWS profiles/FORMAT.md man/*.[1578] man/*.in \
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
# A planted one is found, across two literals.
printf 'const char *a = "waits for "\n\t"storage";\n' >"$work/plant.c"
if strings "$work/plant.c" | grep -q 'waits for storage'; then
	echo "ok - a phrase over two literals is seen"
else
	echo "not ok - a phrase over two literals is not seen"
	failed=1
fi

# flux-core, munge, hwloc and redis have 0.1 to 0.7 % of such sentences.
percent_max=1
git ls-files >/dev/null 2>&1 &&
	tracked=$(git ls-files '*.c' '*.h' '*.sh' quickstart) ||
	tracked=$(find . \( -name '*.[ch]' ! -name '*.skel.h' -o -name '*.sh' \) \
		! -path './build/*')
# shellcheck disable=SC2086 # names of ours have no blanks
comments $tracked >"$work/comments"
prose "$work/comments" >"$work/prose"
found=$(($(wc -l <"$work/prose") - 1))
count=$(sed -n '1s/ .*//p' "$work/prose")
if [ "$count" -lt 8000 ]; then
	failed=1
	echo "not ok - the comments were not found: $count sentences"
elif [ $((100 * found)) -le $((percent_max * count)) ]; then
	echo "ok - $found of $count sentences in comments begin with Of, Who, What ..."
else
	failed=1
	echo "not ok - $found of $count sentences in comments begin with Of, Who, What ..., more than $percent_max %: name what it is about first"
	sed '1d; s/^/#   /' "$work/prose"
fi
printf '/* The size.\n * Of that a part\n * is used. */\n' >"$work/plant.c"
if comments "$work/plant.c" | prose | grep -q ': Of that a part is used\.'; then
	echo "ok - such a sentence is seen"
else
	echo "not ok - such a sentence is not seen"
	failed=1
fi
[ $failed -ne 0 ] || echo "ok - $(wc -l <"$work/text") texts, $(grep -cE \
	'^[^#]' "$list") patterns"
exit $failed
