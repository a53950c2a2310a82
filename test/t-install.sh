#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The files of "make install": all below the prefix, except what configure was
# told to put elsewhere; and a command that works from there for a user who has
# nothing else of the system.
# shellcheck source=test/lib.sh
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${abs_top_builddir:=$PWD}"
build=$abs_top_builddir
. "$abs_top_srcdir/test/lib.sh"

export LC_ALL=C
export work
unset MAKEFLAGS MAKELEVEL MFLAGS DESTDIR
if [ "$abs_top_srcdir" -ef "$build" ]; then
	echo "skip: the source tree is configured itself"
	exit 77
fi

# configure_in NAME OPTION...: configure as this tree, with further options
cache=$work/cache
configure_in()
(
	mkdir -p "$work/$1" && cd "$work/$1" || exit 99
	exec >"$work/$1.log" 2>&1
	shift
	further=("$@")
	eval "set -- $("$build/config.status" --config)"
	"$abs_top_srcdir/configure" -q --cache-file="$cache" "$@" \
		"${further[@]}"
)

# install_in NAME: install below $work/NAME.root.  Only the names of programs
# and pages matter, so none is built; the units are.
install_in()
{
	if ! (
		cd "$work/$1" && mkdir -p packaging/systemd && make -st all &&
			rm -r packaging/systemd &&
			make -s DESTDIR="$work/$1.root" install
	) >"$work/out" 2>&1; then
		cat "$work/out"
		return
	fi
	(cd "$work/$1.root" && find . ! -type d) | sed 's/^\.//' | sort
}

configure_in plain --prefix=/opt/x
is "a prefix alone" "" "$(install_in plain | grep -v '^/opt/x/')"
is "has the command, the recorder and the pages" 3 \
	"$(find "$work"/plain.root/opt/x/{bin/stepwell,libexec/stepwell/stepwell-recorder,share/man/man8/stepwell-admin.8} | wc -l)"

plugin=()
grep -q 'HAVE_SPANK_TRUE"\]=""' "$build/config.status" &&
	plugin=(/usr/lib/of-slurm/stepwell.so)
configure_in site --prefix=/opt/x --sysconfdir=/etc --localstatedir=/var \
	--with-systemdsystemunitdir=/usr/lib/systemd/system \
	--with-slurm-plugindir=/usr/lib/of-slurm
is "with units and a plugin: nothing outside of it but these" "$(printf '%s\n' \
	"${plugin[@]}" \
	/usr/lib/systemd/system/stepwell-{recorder.{service,socket},sweep.{service,timer}} \
	/usr/lib/{sysusers,tmpfiles}.d/stepwell.conf | sed '/^$/d')" \
	"$(install_in site | grep -v '^/opt/x/')"
is "the unit starts what was installed" \
	"ExecStart=/opt/x/libexec/stepwell/stepwell-recorder --node" \
	"$(grep '^ExecStart=' "$work/site.root/usr/lib/systemd/system/stepwell-recorder.service")"
is "the spool is outside, too" 5 \
	"$(grep -cE '^d /(run|var/spool)/stepwell' \
		"$work/site.root/usr/lib/tmpfiles.d/stepwell.conf")"
make -s -C "$work/site" DESTDIR="$work/site.root" uninstall >"$work/out" 2>&1
is "uninstalled, nothing is left" "" "$(find "$work/site.root" ! -type d)"

# The command of stepwell-install(7), and its table of files and modes.
page=$abs_top_srcdir/man/stepwell-install.7
mapfile -t options < <(sed -n '/^\\&\.\/configure --prefix=\/usr /,/^make/p' \
	"$page" | sed '$d; s/\\e$//' | grep -o -- '--[^ ]*' |
	sed 's|=PLUGINDIR$|=/usr/lib/of-slurm|')
configure_in page "${options[@]}"
install_in page >"$work/installed"
rows=$(sed -n 's/^\.It Pa \([^ ]*\) Ta 0\([0-7]*\) Ta .*/\1 \2/p' "$page" |
	sed 's|^PLUGINDIR|/usr/lib/of-slurm|')
[ ${#plugin[@]} -gt 0 ] || rows=$(grep -v '/stepwell\.so' <<<"$rows")
is "each row of the manual's table is installed, with its mode" "" \
	"$(while read -r files mode; do
		# shellcheck disable=SC2086 # a pattern
		[ "$(stat -c %a "$work/page.root"$files | sort -u)" = "$mode" ] ||
			echo "$files $mode"
	done <<<"${rows}" 2>&1)"
is "and nothing is installed that is not in it, but documentation" "" \
	"$(grep -v '^/usr/share/' "$work/installed" | while read -r file; do
		while read -r files _; do
			# shellcheck disable=SC2254 # a pattern
			case $file in $files) continue 2 ;; esac
		done <<<"$rows"
		echo "$file"
	done)"

# beside UNITS: print where files for systemd-tmpfiles and systemd-sysusers go
beside()
{
	rm -rf "$work/beside" "$work/beside.root"
	configure_in beside --prefix=/opt/x "--with-systemdsystemunitdir=$1" &&
		install_in beside | grep -v '/systemd/system/' |
			sed -n 's|/tmpfiles.d/stepwell.conf$||p'
}
# In the prefix, as required by Spack and EasyBuild; and in Debian 12's folder
# of units, which is /usr/lib by another name.
is "units in the prefix: the rest is there, too" /opt/x/lib \
	"$(beside /opt/x/lib/systemd/system)"
is "units in /lib: the rest is in /usr/lib" /usr/lib \
	"$(beside /lib/systemd/system/)"
is "a folder that systemd does not read is refused" "configure: error: \
--with-systemdsystemunitdir=/opt/x/units does not end in systemd/system: \
systemd would not read the units there" \
	"$(beside /opt/x/units; cat "$work/beside.log")"

# configured_again PREFIX: print where "stepwell run" then looks for the
# recorder
configured_again()
{
	configure_in again "--prefix=$1" &&
		make -s -C "$work/again" \
			analyzer/verbs/libanalyzer_a-verb_run.o >"$work/out" 2>&1
	grep -aoE '/opt/[a-z]*/libexec/stepwell' \
		"$work/again/analyzer/verbs/libanalyzer_a-verb_run.o" | sort -u
}
is "a tree that was built for one prefix" /opt/first/libexec/stepwell \
	"$(configured_again /opt/first)"
is "and is configured for another is built for that one" \
	/opt/other/libexec/stepwell "$(configured_again /opt/other)"

# The summary lists what configure leaves out, with the missing package and the
# consequence, in the words of --help.
cat >"$work/pkg-config" <<'END'
#!/bin/sh
case "$*" in
*libbpf* | *hwloc* | *papi* | *'check >'*) exit 1 ;;
esac
exec pkg-config "$@"
END
chmod 755 "$work/pkg-config"
# sentence: join lines
sentence()
{
	tr -s ' \n' '  ' | sed 's/^ //; s/ $//'
}
# costs_of PART: print the consequence from --help
costs_of()
{
	"$abs_top_srcdir/configure" --help | sed -n "/^  --without-$1 /,/^  --/p" |
		sed '1s/^  --without-[a-z]* //; 2,${ /^  --/d }' | sentence |
		sed 's/^leave out [^:]*: //'
}
cache=$work/cache-less
configure_in less --prefix=/opt/x PKG_CONFIG="$work/pkg-config" \
	--without-bpf --without-slurm ac_cv_header_elfutils_libdwfl_h=no \
	ac_cv_header_perfmon_pfmlib_perf_event_h=no
is "configure with little" 0 $?
while IFS='|' read -r part name cause; do
	is "its summary: $name" "$name no: $cause $(costs_of "$part")" \
		"$(awk -v name="    $name " '
			index($0, name) == 1 { print; is_its = 1; next }
			/^    [^ ]/ || /^$/ { is_its = 0 }
			is_its' "$work/less.log" | sentence)"
done <<'END'
bpf|programs by BPF|--without-bpf
hwloc|topology by hwloc|hwloc >= 2.1 not found (Debian: libhwloc-dev)
pfm|processor events|libpfm4 not found (Debian: libpfm4-dev)
dw|stacks at hangs|libdw not found (Debian: libdw-dev)
papi|names of PAPI|libpapi >= 6.0 not found (Debian: libpapi-dev)
slurmdb|jobs by libslurm|libslurm or slurm/slurmdb.h not found (Debian: libslurm-dev)
END
is "what is off has a reason and a cost, each" \
	"$(grep -c '^    .* no: ' "$work/less.log")" \
	"$(grep -A1 '^    .* no: ' "$work/less.log" | grep -c '^          [^ ]')"
is "and is told nowhere else" "" "$(grep -i warning "$work/less.log")"
is "folders without variables" "" "$(grep -F '$' "$work"/{less,site}.log)"
is "an optional part that was asked for is an error" \
	"configure: error: hwloc >= 2.1 not found (Debian: libhwloc-dev): \
$(costs_of hwloc)" "$(rm -r "$work/less"
	configure_in less --with-hwloc PKG_CONFIG="$work/pkg-config" ||
		grep error: "$work/less.log")"
is "the packages that configure names are those that quickstart installs" "" \
	"$(grep -o '(Debian: [^);]*' "$abs_top_srcdir/configure.ac" |
		sed 's/(Debian: //; s/, / /g; s/ or / /g' | tr ' ' '\n' |
		sort -u | grep -v '^systemd' | while read -r package; do
			grep -qw -- "$package" "$abs_top_srcdir/quickstart" ||
				echo "$package"
		done)"

# As installed, for a user who sees neither /var nor /run, and no settings.
export prefix
prefix=$(sed -n 's/^prefix = //p' "$build/Makefile")
cat >"$work/as-user" <<'END'
mount --bind "$work/real$prefix" "$prefix" || exit
for folder in /var /run; do
	case $work/ in
	"$folder"/*) continue ;;
	esac
	mount -t tmpfs -o ro none "$folder" || exit
done
cd "$work/home" || exit
exec setpriv --reuid 65534 --regid 65534 --clear-groups env -i HOME="$PWD" \
	PATH="$prefix/bin:/usr/bin:/bin" LC_ALL=C sh -c '
	stepwell run --no-report --name first -- sh -c "exit 3"
	echo "run $?"
	stepwell report first | sed -n 1p
	stepwell list | grep -c first
	stepwell verify .local/state/stepwell/*.stepwell | tail -n 1
	find . -type f ! -path "./.local/state/stepwell/*"'
END
if [ "$(id -u)" -ne 0 ] || ! unshare -m true 2>/dev/null; then
	echo "ok - skip: only root can show a user another file system"
elif [ ! -d "$prefix" ] || [ "$prefix" = /usr ] || ! others test -x "$prefix"; then
	echo "ok - skip: no other user can have a file system of its own at $prefix"
else
	make -s -C "$build" DESTDIR="$work/real" install >"$work/out" 2>&1
	is "make install" 0 $?
	mkdir "$work/home"
	chown 65534:65534 "$work/home"
	is "a user runs, lists and reports with nothing else of the system" \
		"run 3
first: Failed (exit status 3)
1
complete" "$(unshare -m sh "$work/as-user" 2>&1 |
		sed 's/\(exit status 3)\) after .*/\1/')"
fi
tally
