#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Would libbpf find what the BPF programs read in kernels of RHEL 8 and 9?
# What a program reads and the kernel's types lack has to stand behind a
# question whether it is there.  test/fixtures/rhel has the names.
set -u
srcdir=${srcdir:-.}
. "$srcdir/test/lib.sh"

objects=$abs_top_builddir/recorder
types=$srcdir/test/fixtures/rhel/types.c
releases=(84 85 86 88 810 90 91 92 93 94 95 96)

for tool in clang bpftool; do
	command -v "$tool" >/dev/null || { echo "# skipped: no $tool"; exit 77; }
done
for object in exec snapshot waits; do
	[ -f "$objects/$object.bpf.o" ] ||
		{ echo "# skipped: no BPF program was compiled here"; exit 77; }
done

# "KIND NAME found|lost" for each thing that a program looks for.
relocations() {	# OBJECT BTF
	bpftool -d gen min_core_btf "$2" "$work/min.btf" \
		"$objects/$1.bpf.o" 2>&1 | awk -v object="$1" '
		/relo #[0-9]+: </ {
			split($0, part, /[<>]/)
			split(part[3], word, " ")
			kind = part[2]
			asked = word[3]
			gsub(/\[[0-9]+\]/, "[]", asked)
		}
		/relo #[0-9]+: matching candidate/ {
			print object, kind, asked, "found"
		}
		/no matching targets found/ {
			print object, kind, asked, "lost"
		}'
}

# Those that nothing asks about, but for the names that a structure had before
# or has elsewhere, which stand in the other branch of such a question; pages
# are asked about by the type that they had before.
unguarded() {	# FILE
	awk '$2 ~ /exists/ { asked[$1, $3] = 1 }
		$3 == "mm_rss_stat" { asked[$1, "mm_struct.rss_stat[].count"] }
		$2 ~ /exists/ { next }
		$4 == "lost" { lost[$1 " " $3] = 1 }
		END {
			for (name in lost) {
				split(name, part, " ")
				if (!((part[1], part[2]) in asked) &&
				    part[2] !~ /___/)
					print name
			}
		}' "$1"
}

found() {	# FILE NAME
	grep -q "byte_[a-z]* $2 found" "$1"
}

# One of the two names, and not both.
either() {	# FILE NEW OLD
	if found "$1" "$2"; then ! found "$1" "$3"; else found "$1" "$3"; fi
}

for release in "${releases[@]}"; do
	clang -target bpf -g -O2 "-DEL=$release" -c "$types" \
		-o "$work/$release.o" 2>"$work/err" ||
		{ cat "$work/err"; exit 99; }
	all=$work/$release
	for object in exec snapshot waits; do
		relocations $object "$work/$release.o"
	done >"$all"
	yes_ "$release: programs were looked at" \
		test "$(grep -c found "$all")" -gt 100
	unguarded "$all" >"$all.bad"
	yes_ "$release: nothing is read that is not there" \
		test ! -s "$all.bad"
	sed 's/^/# /' "$all.bad"
	yes_ "$release: when a process began" either "$all" \
		task_struct.start_boottime \
		task_struct___before_5_5.real_start_time
	yes_ "$release: whether a thread runs" either "$all" \
		task_struct.__state task_struct___before_5_14.state
done

tally
