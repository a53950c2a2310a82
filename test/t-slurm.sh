#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Trees of other releases of Slurm, in $STEPWELL_SLURM_TREES: for each the
# plugin and stepwell-slurmdb are compiled with its headers, the plugin is
# loaded by the fake host (t-spank.sh), and if the tree has libslurm and sacct,
# their outputs are compared (t-slurmdb.sh).  Prints a table of the results.
#
# A tree has include/slurm or usr/include/slurm, and libraries and sacct as
# installed below a prefix or in the root of a system.  A tree with its own
# libc, whose programs may not run with this machine's, has its own loader.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

if [ -z "${STEPWELL_SLURM_TREES-}" ]; then
	echo "# skipped: no trees of Slurm in STEPWELL_SLURM_TREES"
	exit 77
fi
# Results of this build's configure, without Slurm.
sed -n '/^ac_cv_env_/d; /slurm/d; /^ac_cv_[^=]*=/p' \
	"$abs_top_builddir/config.log" >"$work/cache"

# first TEST PATH...: print the first path that passes the test
first()
{
	local test=$1 path

	shift
	for path in "$@"; do
		if test "$test" "$path"; then
			echo "$path"
			return
		fi
	done
}

# build_with TREE: build in the working directory; errors are in the file log
build_with()
{
	local options=(--quiet --enable-werror "--with-slurm=$1")

	# A release may be tried for the first time.
	[ -z "$libraries" ] || options+=(--with-slurmdb=force)
	# shellcheck disable=SC2054 # one word
	[ -z "$loader" ] || options+=(LDFLAGS=-Wl,--allow-shlib-undefined)
	cp "$work/cache" cache
	"$abs_top_srcdir/configure" --cache-file=cache "${options[@]}" &&
		make -s spank/stepwell.so || return
	if [ -n "$libraries" ]; then
		make -s slurmdb/stepwell-slurmdb test/slurmdb/database.so
	else
		# shellcheck disable=SC2016 # is make's
		make -s --eval='slurmdb-syntax: ; \
			$(CC) $(AM_CPPFLAGS) $(SPANK_CPPFLAGS:-I%=-isystem %) \
			$(CPPFLAGS) -std=gnu11 $(WARN_CFLAGS) -fsyntax-only \
			$(addprefix $(srcdir)/,slurmdb/main.c \
			test/slurmdb/database.c \
			$(filter %.c,$(slurmdb_print_sources)))' slurmdb-syntax
	fi
}

# test_of NAME: run another test on the build in the working directory
test_of()
{
	abs_top_builddir=$PWD "$abs_top_srcdir/test/$1" >>log 2>&1
}

# equality_of TREE: print "yes", "no", or what is missing
equality_of()
{
	local sacct

	sacct=$(first -x "$1/bin/sacct" "$1/usr/bin/sacct")
	if [ -z "$libraries" ]; then
		echo "no libslurm"
	elif [ -z "$sacct" ]; then
		echo "no sacct"
	elif STEPWELL_SACCT=$sacct STEPWELL_SACCT_LOADER=$loader \
		STEPWELL_SACCT_LIBRARIES=$libraries test_of t-slurmdb.sh &&
		grep -q '^ok - sacct prints the same bytes' log; then
		echo yes
	else
		echo no
	fi
}

# try_tree TREE: print its line of the table; succeeds if all is OK
try_tree()
{
	local compiles=no loads=- equals=- release loader libraries result

	loader=$(first -x "$1"/lib64/ld-linux-*.so.* \
		"$1"/usr/lib64/ld-linux-*.so.*)
	# Folders of Slurm's libraries, and of the tree's own libc.
	libraries=$(find "$1"/lib* "$1"/usr/lib* -name 'libslurm*.so' \
		-o -name libc.so.6 2>/dev/null | sed 's|/[^/]*$||' | sort -u |
		paste -sd :)
	if build_with "$1" >log 2>&1; then
		compiles=yes
		mkdir -p test/spank
		ln -s "$abs_top_builddir/test/spank/spank-host" test/spank/
		loads=no
		test_of t-spank.sh && loads=yes
		equals=$(equality_of "$1")
	fi
	release=$(sed -n 's/^SLURM_RELEASE = //p' Makefile 2>/dev/null)
	printf '%-8s  %-8s  %-5s  %-20s  %s\n' "${release:--}" "$compiles" \
		"$loads" "$equals" "$1" >>"$work/table"
	[ "$compiles $loads" = "yes yes" ] && [ "$equals" != no ]
	result=$?
	is "$1 (Slurm ${release:-unknown}) compiles, loads, prints the same" \
		0 "$result"
	return $result
}

# A separate folder for each: ccache would reuse objects built with the headers
# that were at the same path before.
number=0
for tree in $STEPWELL_SLURM_TREES; do
	tree=$(cd "$tree" && pwd) && mkdir "$work/tree$((++number))" &&
		cd "$work/tree$number" || exit 99
	try_tree "$tree" || {
		grep -E '^(not ok|# skipped)' log || tail -n 5 log
	} | sed 's/^/#   /'
	cd / && rm -rf "$work/tree$number"
done
printf '\n%-8s  %-8s  %-5s  %-20s  %s\n' release compiles loads \
	'slurmdb equals sacct' tree
sort "$work/table"
tally
