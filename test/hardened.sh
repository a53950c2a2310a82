#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Check compiler and linker hardening of the programs and the plugin by their
# ELF files: the plugin runs as root in slurmd, the recorder as root beside it.
set -u
: "${abs_top_builddir:=$PWD}"
passed=0
failed=0

# yes WHAT COMMAND...
yes_()
{
	what=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
		echo "ok - $what"
	else
		failed=$((failed + 1))
		echo "not ok - $what"
	fi
}

# has OPTIONS FILE PATTERN: search the output of readelf
has()
{
	LC_ALL=C readelf "$1" -W "$2" 2>/dev/null | grep -qE "$3"
}

has_not()
{
	! has "$@"
}

# Does the C library support control-flow protection?
has_cet()
{
	has -n "$(${CC:-cc} -print-file-name=crti.o)" 'IBT, SHSTK'
}

# Each function whose address is taken begins with endbr64.
has_landings()
{
	[ "$(objdump -d "$1" | grep -c 'endbr64')" -ge 10 ]
}

has_landings_here()
{
	command -v objdump >/dev/null && [ "$(uname -m)" = x86_64 ]
}

# Does the compiler support the option, at the chosen optimization level?
is_made_with()
{
	grep -qE "^HARDEN_CFLAGS = .*$1" "$abs_top_builddir/Makefile"
}

check()
{
	file=$abs_top_builddir/$1
	yes_ "$1 can be loaded anywhere" has -h "$file" 'Type: *DYN'
	yes_ "$1 has what is relocated read-only" has -l "$file" GNU_RELRO
	yes_ "$1 has all bound when it is loaded" \
		has -d "$file" 'BIND_NOW|Flags:.* NOW'
	yes_ "$1 has no executable stack" \
		has -l "$file" 'GNU_STACK.* RW +0x'
	yes_ "$1 has no text relocations" has_not -d "$file" TEXTREL
	yes_ "$1 watches over its stack" has --dyn-syms "$file" \
		'__stack_chk_fail'
	if is_made_with _FORTIFY_SOURCE; then
		yes_ "$1 checks sizes" has --dyn-syms "$file" \
			' __(mem|str|snprintf|vsnprintf|read|pread)[a-z0-9_]*_chk'
	else
		echo "ok - skip: $1: the compiler does not check sizes"
	fi
	if is_made_with fcf-protection && has_landings_here; then
		yes_ "$1 has landings for indirect jumps" has_landings "$file"
	else
		echo "ok - skip: $1: no CET in the compiler for this processor"
	fi
	if is_made_with fcf-protection && has_cet; then
		yes_ "$1 has its jumps watched over" has -n "$file" \
			'IBT, SHSTK'
	else
		echo "ok - skip: $1: no CET in the C library"
	fi
}

if ! command -v readelf >/dev/null; then
	echo "skip: no readelf"
	exit 77
fi
if [ -f "$abs_top_builddir/spank/stepwell.so" ]; then
	if is_made_with fsanitize; then
		echo "ok - skip: a sanitized build is not the product"
	else
		check spank/stepwell.so
	fi
fi
# List all installed programs, from the variables of the Makefile.
programs()
{
	printf '%s\n' "include Makefile" "print-programs:" \
		"	@echo \$(bin_PROGRAMS) \$(sbin_PROGRAMS) \$(pkglibexec_PROGRAMS)" |
		"${MAKE:-make}" -s --no-print-directory \
			-C "$abs_top_builddir" -f - print-programs
}
if is_made_with fsanitize; then
	echo "ok - skip: nor are its programs"
else
	list=$(programs)
	for program in recorder/stepwell-recorder analyzer/stepwell; do
		yes_ "$program is one of them" \
			sh -c 'case " $1 " in *" $2 "*) ;; *) exit 1 ;; esac' - \
			"$(echo $list)" "$program"
	done
	for program in $list; do
		check "$program"
	done
fi
# Rate the recorder's unit with systemd-analyze, offline.
unit_exposure()
{
	folder=$(mktemp -d) || return
	sed -e 's#^ExecStart=.*#ExecStart=/bin/true#' -e 's#@[a-z]*@#/var#' \
		"${abs_top_srcdir:-..}/packaging/systemd/stepwell-recorder.service.in" \
		>"$folder/stepwell-recorder.service"
	LC_ALL=C systemd-analyze security --offline=true --no-pager \
		"$folder/stepwell-recorder.service" 2>/dev/null |
		sed -n 's/.*Overall exposure level.*: \([0-9.]*\) .*/\1/p'
	rm -r "$folder"
}
exposure=$(unit_exposure)
if [ -n "$exposure" ]; then
	yes_ "the recorder's unit: exposure $exposure of 10, at most 3.5" \
		awk "BEGIN { exit !($exposure <= 3.5) }"
else
	echo "ok - skip: no systemd-analyze that can work offline"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
