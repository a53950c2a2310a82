#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Count the numbers that decide a judgment: the named constants of the rules and
# of the view, without sizes of arrays (a name that stands in brackets somewhere,
# or ends in SIZE).  "test/numbers.sh list" prints them, and the thresholds that
# stepwell.yaml can change.
set -u
most=70
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"

constants()
{
	awk '
	function flush(   i, n, parts, name) {
		gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, "", text)
		sub(/#define [A-Z_]+\([^\n]*/, "", text)
		n = split(text, parts, /\n/)
		for (i = 1; i <= n; i++)
			if (parts[i] ~ /^#define [A-Z_0-9]+[ \t]+[(0-9S]/) {
				split(parts[i], name, /[ \t]+/)
				say(name[2], parts[i])
			}
		gsub(/#[^\n]*/, "", text)
		n = split(text, parts, /[;{}]/)
		for (i = 1; i <= n; i++)
			if (parts[i] ~ \
			    /(^|[ \t\n])const (double|float|int|unsigned|size_t|uint64_t) [A-Za-z_]+ =/ ||
			    parts[i] ~ /^[ \t\n]*[A-Z_0-9]+( = [^,]*)?(,[ \t\n]*[A-Z_0-9]+( = [^,]*)?)*,?[ \t\n]*$/)
				declarators(parts[i])
		text = ""
	}
	function declarators(part,   i, n, items) {
		sub(/.*const [a-z0-9_]+ /, "", part)
		n = split(part, items, /,/)
		for (i = 1; i <= n; i++) {
			gsub(/^[ \t\n]+/, "", items[i])
			if (items[i] ~ /^[A-Za-z_0-9]+ = [-0-9(S]/)
				say(substr(items[i], 1,
					   index(items[i], " ") - 1), items[i])
		}
	}
	function say(name, as) {
		gsub(/[ \t\n]+/, " ", as)
		sub(/^#define /, "", as)
		if (name ~ /SIZE$/)
			return
		print where ": " as
	}
	FNR == 1 && NR > 1 { flush() }
	{ where = FILENAME; text = text $0 "\n" }
	END { flush() }' "$@"
}

decide()
{
	constants analyzer/rules/*.[ch] analyzer/view/*.[ch] |
	while read -r file name rest; do
		grep -rqE --include='*.[ch]' "\\[[^]]*\\<$name\\>[^]]*\\]" \
			analyzer || echo "$file $name $rest"
	done
}

settings()
{
	grep -hoE '\{ "[a-z_0-9]+", [-0-9S][^,]*, [-0-9][^,]*, [0-9.e]+,' \
		analyzer/rules/*.[ch]
}

cd "$abs_top_srcdir" || exit 1
all=$(decide)
count=$(printf '%s\n' "$all" | wc -l)
if [ "${1-}" = list ]; then
	printf '%s\n' "$all"
	settings
	echo "$count constants, $(settings | wc -l) settings"
elif [ "$count" -le "$most" ]; then
	echo "ok - $count named constants decide, at most $most"
else
	echo "not ok - $count named constants decide, more than $most: use a word of analyzer/view/shares.h, what limited the step (common/limits.h), or a constant that exists"
	printf '%s\n' "$all" | sed 's/^/#   /'
	exit 1
fi
