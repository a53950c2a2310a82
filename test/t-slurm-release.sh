#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# configure distinguishes releases of Slurm: unsupported ones, headers without a
# release, a libslurm of another release than the headers, and releases whose
# sacct was never compared.  Headers and libraries are generated here, of a
# release each.
set -u
# The copy that lib.sh may make of what others run has no config.log.
built=${abs_top_builddir:-$PWD}
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

configure=$abs_top_srcdir/configure
if ! [ -x "$configure" ] || ! [ -r "$built/config.log" ]; then
	echo "# skipped: no configure, or it was not run here"
	exit 77
fi
# Results of this build's configure, without Slurm.
sed -n '/^ac_cv_env_/d; /slurm/d; /^ac_cv_[^=]*=/p' \
	"$built/config.log" >"$work/cache"

# headers FOLDER RELEASE: such as "24.11"
headers()
{
	mkdir -p "$1/slurm"
	printf '#include <slurm/slurm_version.h>\n' >"$1/slurm/spank.h"
	: >"$1/slurm/slurm.h"
	printf 'int slurmdb_jobs_get(void);\n' >"$1/slurm/slurmdb.h"
	printf '#define SLURM_VERSION_NUMBER 0x%02x%02x05\n' "${2%.*}" \
		"$((10#${2#*.}))" >"$1/slurm/slurm_version.h"
}

# library FOLDER RELEASE
library()
{
	mkdir -p "$1"
	printf 'const char release[] = "%s.5";\nint slurmdb_jobs_get(void);\n
		int slurmdb_jobs_get(void) { return release[0]; }\n' "$2" |
		cc -shared -fPIC -x c -o "$1/libslurm.so" -
}

# configured OPTION...: print its results for Slurm, and its status
configured()
{
	local rc

	mkdir "$work/tried"
	(cd "$work/tried" && "$configure" --cache-file=../copy --no-create \
		"$@") >"$work/said" 2>&1
	rc=$?
	rm -rf "$work/tried" "$work/copy"
	sed -n "s|$work/||g
		s/^ *jobs by libslurm  *no: /left out: /p
		s/^configure: \(WARNING\|error\): \(.*\(Slurm\|slurm\).*\)/\2/p" \
		"$work/said"
	echo "status $rc"
}

# says WHAT FOLDER EXPECTED OPTION...
says()
{
	local what=$1 folder=$2 expected=$3

	shift 3
	cp "$work/cache" "$work/copy"
	is "$what" "$expected" "$(configured "--with-slurm=$work/$folder" "$@")"
}

for release in 20.11 21.08 22.05 24.11 26.05 99.05; do
	headers "$work/$release" "$release"
done
# In these the release is in slurm.h.
mv "$work/20.11/slurm/slurm_version.h" "$work/20.11/slurm/slurm.h"
: >"$work/20.11/slurm/spank.h"
for release in 20.11 21.08; do
	says "$release is refused by name" $release \
		"slurm/spank.h is of $release, needs 22.05 or newer: the Slurm plugin cannot be built
status 1"
done
mkdir -p "$work/source"
cp -r "$work/26.05/slurm" "$work/source/"
rm "$work/source/slurm/slurm_version.h"
says "headers that were never configured take no release from elsewhere" source \
	"no release in source/slurm/slurm_version.h, which Slurm's own configure makes: the Slurm plugin cannot be built
status 1"

library "$work/26.05/lib64" 26.05
says "DIR/lib64 is tried" 26.05 "status 0" --with-slurmdb
library "$work/24.11/lib" 22.05
mixed='24.11/lib/libslurm.so is of Slurm 22.05, slurm/spank.h of 24.11'
says "a libslurm of another release is not linked" 24.11 \
	"left out: $mixed
status 0"
says "not by force either" 24.11 \
	"$mixed: stepwell-slurmdb cannot be built
status 1" --with-slurmdb=force
library "$work/22.05/usr/lib" 22.05
library "$work/system" 24.11
says "nor one that the linker finds before it" 22.05 \
	"system/libslurm.so is of Slurm 24.11, slurm/spank.h of 22.05: stepwell-slurmdb cannot be built
status 1" --with-slurmdb LDFLAGS="-L$work/system"

library "$work/99.05/lib" 99.05
unknown='stepwell-slurmdb was never compared with the sacct of Slurm 99.05'
says "a release that was never compared is left out" 99.05 \
	"left out: $unknown (--with-slurmdb=force builds it)
status 0"
says "which is an error with --with-slurmdb" 99.05 \
	"$unknown (--with-slurmdb=force builds it): stepwell-slurmdb cannot be built
status 1" --with-slurmdb
says "unless it is forced, with a warning" 99.05 \
	"$unknown: what it prints may be wrong
status 0" --with-slurmdb=force

# README lists the same releases.
releases=$(sed -n "s/^slurmdb_releases='\(.*\)'/\1/p" \
	"$abs_top_srcdir/configure.ac")
is "README has the releases that were compared" "$releases" "$(
	sed -n 's/^| *\([0-9., ]*\) | yes | yes |.*/\1/p' \
		"$abs_top_srcdir/README.md" | paste -sd ' ' | tr -d ,)"
is "stepwell-install(7) as well" "$releases" "$(
	sed -n 's/^\.It \([0-9., ]*\) Ta played Ta compared .*/\1/p' \
		"$abs_top_srcdir/man/stepwell-install.7" |
		paste -sd ' ' | tr -d ,)"
tally
