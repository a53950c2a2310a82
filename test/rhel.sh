#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Would libbpf find what the BPF programs read in kernels of RHEL 8 and 9? Reads
# of fields that the kernel's types lack must be guarded by an existence check,
# and the kernel must have all helpers called by a release's backend.
# test/fixtures/rhel has the names and the backends.
set -u
srcdir=${srcdir:-.}
. "$srcdir/test/lib.sh"

objects=$abs_top_builddir/recorder/bpf
types=$srcdir/test/fixtures/rhel/types.c
releases=(84 85 86 88 810 90 91 92 93 94 95 96)
# Highest helper number in each kernel's include/uapi/linux/bpf.h.
declare -A helpers=([84]=141 [85]=162 [86]=165 [88]=168 [810]=168 [90]=168
	[91]=179 [92]=207 [93]=211 [94]=211 [95]=211 [96]=211)

for tool in clang bpftool; do
	command -v "$tool" >/dev/null || { echo "# skipped: no $tool"; exit 77; }
done
for object in exec snapshot waits; do
	[ -f "$objects/$object.bpf.o" ] ||
		{ echo "# skipped: no BPF program was compiled here"; exit 77; }
done

# Print "KIND NAME found|lost" for each relocation of a program.
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

# List lost names without a check, except names that a structure had before or
# elsewhere, which are read in the other branch of a check; pages are checked by
# their former type, or by their other member.
unguarded() {	# FILE
	awk '$2 ~ /exists/ { asked[$1, $3] = 1 }
		# A percpu_counter has both.
		$3 == "mm_rss_stat" || $3 == "mm_struct.rss_stat[].counters" {
			asked[$1, "mm_struct.rss_stat[].count"] = 1
		}
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

# Exactly one of the two names exists.
either() {	# FILE NEW OLD
	if found "$1" "$2"; then ! found "$1" "$3"; else found "$1" "$3"; fi
}

# Print "OBJECT FUNCTION NUMBER" for each call of a helper, "OBJECT FUNCTION -1
# NAME" for each call of a kernel function.
calls() {	# OBJECT
	llvm-objdump -dr "$objects/$1.bpf.o" | awk -v object="$1" '
		/^[0-9a-f]+ <[^L].*>:$/ { in_function = substr($2, 2)
			sub(/>:$/, "", in_function); next }
		/\tcall -1$/ { is_other = 1; next }
		/\tcall / { print object, in_function, $NF }
		# Calls within the object are in its section.
		is_other && /R_BPF_64_32/ && $NF != ".text" {
			print object, in_function, -1, $NF
		}
		{ is_other = 0 }'
}

# List the functions loaded by a release's backend; some may be inlined.
backend() {	# RELEASE
	printf '%s\n' 'exec on_fork' 'exec on_exec' 'exec on_exit' \
		'exec tell_exit' 'snapshot walk' 'waits walk' 'waits take_word' \
		'net on_ingress' 'net on_egress'
	[ "$1" = 84 ] ||
		printf 'exec %s\n' on_signal on_free compare_clocks
	case $1 in
	91|92) printf 'waits %s\n' name measure ;;
	esac
}

# List calls by the backend's functions that the kernel does not know.
calls_of() {	# RELEASE
	case $1 in
	93|94|95|96) cat "$work/calls" ;;
	*) awk 'NR == FNR { backend[$1, $2] = 1; next } ($1, $2) in backend' \
		<(backend "$1") "$work/calls" ;;
	esac
}

unknown_calls() {	# RELEASE
	calls_of "$1" | awk -v last="${helpers[$1]}" -v release="$1" '
		$3 > last || ($3 < 0 && (release < 93 || release == 810))'
}

if command -v llvm-objdump >/dev/null; then
	for object in exec snapshot waits net; do
		calls $object
	done >"$work/calls"
	for release in "${releases[@]}"; do
		yes_ "$release: calls were found" \
			test "$(calls_of "$release" | wc -l)" -gt 20
		is "$release: all that is called is there" '' \
			"$(unknown_calls "$release")"
	done
else
	echo "# no llvm-objdump: what is called was not looked at"
fi

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
