#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Installed files other than programs: the units match the recorder, the folders
# match the doctor's checks, the completion matches the command.
# shellcheck source=test/lib.sh
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$abs_top_srcdir/test/lib.sh"

export LC_ALL=C
source_units=$abs_top_srcdir/packaging/systemd
units=$work/units
mkdir "$units"
cp "$abs_top_builddir"/packaging/systemd/stepwell-recorder.* \
	"$abs_top_builddir"/packaging/systemd/stepwell-sweep.service \
	"$source_units/stepwell-sweep.timer" "$units"

# value FILE KEY
value()
{
	sed -n "s/^$2=//p" "$units/stepwell-recorder.$1"
}

# defined NAME: print a string of the recorder's header
defined()
{
	sed -n "s/^#define $1 \"\(.*\)\"/\1/p" \
		"$abs_top_srcdir/common/protocol.h"
}

is "the socket is the plugin's" "$(defined SW_SOCKET_PATH)" \
	"$(value socket ListenSequentialPacket)"
is "the socket is root's alone" "root 0600" \
	"$(value socket SocketUser) $(value socket SocketMode)"
for unit in socket service; do
	is "the switch keeps the $unit away" "!$(defined SW_OFF_PATH)" \
		"$(value $unit ConditionPathExists)"
	is "the $unit is there before slurmd" slurmd.service \
		"$(value $unit Before)"
done
program=$(value service ExecStart)
is "the service runs the recorder of a node" "stepwell-recorder --node" \
	"${program##*/}"
is "a recorder of slurmd's makes room: it is the same program" \
	"$program --detach" \
	"$(value socket ExecStartPre | sed -n 's/.*pkill -xf "\(.*\)"/\1/p')"
is "nothing was left to be replaced" "" "$(grep -n '@[a-z]*@' "$units"/*)"

# The nightly sweep: runs as the summaries' owner, started only by its timer.
sweep() # KEY
{
	sed -n "s/^$1=//p" "$units/stepwell-sweep.service"
}
is "the sweep runs as the owner of the summaries" \
	"$(awk '$2 ~ "/summaries$" { print $4 }' \
		"$abs_top_builddir/packaging/systemd/stepwell.tmpfiles")" \
	"$(sweep User)"
is "it is of the group that may read profiles" \
	"$(awk '$2 ~ "/profiles$" { print $5 }' \
		"$abs_top_builddir/packaging/systemd/stepwell.tmpfiles")" \
	"$(sweep Group)"
is "it has no rights beyond those of its user" '' \
	"$(sweep CapabilityBoundingSet; sweep AmbientCapabilities)"
is "nothing but the timer starts it" 0 \
	"$(grep -c '^\[Install\]' "$units/stepwell-sweep.service")"
# Its command line, parsed as by systemd, in a cluster without a job; without
# sacct it would have failed.
mkdir "$work/lib" "$work/slurm"
cp "$abs_top_srcdir/test/fixtures/sacct/sacct" "$work/slurm/sacct"
# A header line without rows.
awk -v midnight=0 -v night=1 -v summaries="$work/slurm" \
	-f "$abs_top_srcdir/test/fixtures/sweep/night.awk" |
	head -n 1 >"$work/no-jobs"
chmod 755 "$work/slurm/sacct"
options=$(sweep Environment | sed -n 's/^STEPWELL_SWEEP_OPTIONS=//p' |
	sed "s|/var/lib|$work/lib|g")
mkdir "$work/lib/stepwell"
command=$(sweep ExecStart)
command=${command#*/stepwell }
# shellcheck disable=SC2086 # words, as of systemd
PATH=$work/slurm:$PATH STEPWELL_CONF=/dev/null XDG_STATE_HOME=$work/lib \
	SACCT_JOBS=$work/no-jobs SACCT_WINDOWS=/dev/null \
	"$stepwell" ${command/\$STEPWELL_SWEEP_OPTIONS/$options} \
	>"$work/out" 2>&1
status=$?
is "what it runs: no job is a success" "$(sweep SuccessExitStatus)" $status
is "with a page where the unit may write" yes \
	"$(if [ -s "$work/lib/stepwell/sweep.html" ]; then echo yes
	   else cat "$work/out"; fi)"
is "and the night beside it" "$work/lib/stepwell/sweep/$(date -d yesterday +%F).sweep" \
	"$(echo "$work/lib/stepwell/sweep"/*.sweep)"

# A single page names the owner of the sweep's folders, the unit's user.
is "the folders of the sweep are described once" "stepwell-admin.8 3" \
	"$(cd "$abs_top_srcdir/man" && grep -c '^install -d -o stepwell' \
		./* | grep -v ':0$' | sed 's|^./||; s/:/ /')"
is "with the unit's owner and the modes that the sweep wants" "0750 0750 0755" \
	"$(sed -n "s/^install -d -o $(sweep User) -g $(sweep Group) -m \
\([0-7]*\) .*/\1/p" "$abs_top_srcdir/man/stepwell-admin.8" | paste -sd' ')"

# Its table of folders lists those of systemd, and nothing else.
page=$abs_top_srcdir/man/stepwell-install.7
is "the folders of the manual, with owner and mode" "$({
	sed -n 's|^d [^ ]*/spool/|d /var/spool/|; s/^d //p' \
		"$abs_top_builddir/packaging/systemd/stepwell.tmpfiles" |
		awk '{ print $1, $3 ":" $4, $2 }'
	echo "$(value socket ListenSequentialPacket)" \
		"$(value socket SocketUser):root $(value socket SocketMode)"
	echo "/var/lib/$(sweep StateDirectory)" \
		"$(sweep User):$(sweep Group) $(sweep StateDirectoryMode)"
} | sort)" "$(sed -n \
	's/^\.It Pa \([^ ]*\) Ta \([a-z]*:[a-z]*\) Ta \([0-7]*\)$/\1 \2 \3/p' \
	"$page" | sort)"
# The playbook for all nodes, checked by Ansible.
sed -n '/^- hosts:/,/^\.Ed/p' "$page" | sed '$d' >"$work/play.yaml"
is "there is a play" yes "$([ -s "$work/play.yaml" ] && echo yes)"
if command -v ansible-playbook >/dev/null; then
	LC_ALL=C.UTF-8 HOME=$work ansible-playbook -i localhost, --syntax-check \
		"$work/play.yaml" >"$work/out" 2>&1
	is "Ansible takes it" 0 $?
else
	echo "ok - skip: no Ansible"
fi

# The packages have the version of NEWS.
version=$(sed -n '1s/^stepwell \([0-9.]*\).*/\1/p' "$abs_top_srcdir/NEWS")
is "the version of the Debian packages" "$version" \
	"$(sed -n '1s/.*(\(.*\)).*/\1/p' \
		"$abs_top_srcdir/packaging/debian/changelog")"
is "the version of the RPM packages" "$version" \
	"$(awk '$1 == "Version:" { print $2 }' \
		"$abs_top_srcdir/packaging/stepwell.spec")"
# The recipes of Spack and EasyBuild: this version, the bounds of configure.ac,
# and only options that configure has.
spack=$abs_top_srcdir/packaging/spack/package.py
easybuild=$abs_top_srcdir/packaging/easybuild/stepwell-$version.eb
is "the version of Spack's recipe" "$version $version" \
	"$(sed -n 's|^    url = .*/stepwell-\(.*\)\.tar\.xz"|\1|p
		s/^    version("\(.*\)")$/\1/p' "$spack" | paste -sd' ')"
is "the version of EasyBuild's" "$version" \
	"$(sed -n "s/^version = '\(.*\)'/\1/p" "$easybuild")"
is "Spack's bounds are those of configure" \
	"$(grep -oE '\[(libzstd|json-c|sqlite3|hwloc|papi) >= [0-9.]+\]' \
		"$abs_top_srcdir/configure.ac" | tr -d '[]>=' |
		sed 's/^lib//; s/3 / /; s/\.0$//; s/  */ /' | sort)" \
	"$(sed -nE 's/^    depends_on\("(zstd|json-c|sqlite|hwloc|papi)@([0-9.]+):".*/\1 \2/p' \
		"$spack" | sort)"
known=$("$abs_top_srcdir/configure" --help)
is "both give configure nothing that it does not know" "" "$({
	grep -ohE -- '--[a-z-]+=' "$spack" "$easybuild"
	sed -n 's/.* part in (\(.*\)):/\1, slurm/p' "$spack" | tr -d '" ' |
		tr ',' '\n' | sed 's/^/--with[out]*-/'
} | sort -u | while read -r option; do
	grep -qE -- "^  $option[ =]?" <<<"$known" || echo "$option"
done)"
for recipe in "$spack" "$easybuild"; do
	is "${recipe##*/} is Python" "" \
		"$(python3 -c 'import sys
compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$recipe" 2>&1)"
done

# As required by Debian: actions forbidden in policy-rc.d are not performed.
is "the Debian packages run systemctl in no script" "" \
	"$(grep -lw systemctl "$abs_top_srcdir"/packaging/debian/*.*)"
is "they tell since when there is a copyright" 1 \
	"$(grep -c '^Copyright: [0-9]' \
		"$abs_top_srcdir/packaging/debian/copyright")"

# If packages are installed with dpkg alone: the machines of the tests have the
# libraries of the programs, except those of every Debian.
if command -v dpkg-query >/dev/null; then
	release=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
	guest=$(. "$abs_top_srcdir/test/vm/common.sh" && guest_packages "$release")
	programs=("$stepwell" "$abs_top_builddir"/recorder/stepwell-{recorder,stack})
	# packages_of PROGRAM...; dpkg may know them below /lib or /usr/lib
	packages_of()
	{
		objdump -p "$@" | awk '$1 == "NEEDED" { print $2 }' \
			>"$work/needed"
		ldd "$@" | grep -F -f "$work/needed" |
			awk '{ sub(/.*lib\//, "*/", $3); print $3 }' |
			sort -u | xargs dpkg-query -S | cut -d: -f1 | sort -u |
			grep -vxE 'libc6|zlib1g'
	}
	packages_of "${programs[@]}" >"$work/libraries"
	is "the programs are linked with libraries" yes \
		"$(grep -qx libyaml-0-2 "$work/libraries" && echo yes)"
	is "dpkg -i has all it depends on on the tests' machines" "" \
		"$(grep -vxF "$guest" "$work/libraries")"
	slurmdb=$abs_top_builddir/slurmdb/stepwell-slurmdb
	if [ -x "$slurmdb" ]; then
		nodes=$(. "$abs_top_srcdir/test/cluster/common.sh" &&
			cluster_packages "$release")
		is "stepwell-slurmdb has its libraries on the cluster's" "" \
			"$(packages_of "$slurmdb" | grep -vxF "$nodes")"
	fi
else
	echo "ok - skip: no dpkg"
fi
is "stepwell-slurmdb is in a package of its own" "1 1" "$(
	grep -c '^Package: stepwell-slurmdb$' \
		"$abs_top_srcdir/packaging/debian/control") $(
	grep -c '^%files slurmdb$' "$abs_top_srcdir/packaging/stepwell.spec")"

# The release of the RPM packages comes from Slurm's headers, wherever they are.
if command -v rpmspec >/dev/null; then
	# rpms_of [OPTION OF rpmspec]...
	rpms_of()
	{
		rpmspec -q --define '_unitdir /usr/lib/systemd/system' \
			--qf '%{NAME} %{RELEASE}\n' "$@" \
			"$abs_top_srcdir/packaging/stepwell.spec" 2>&1 |
			awk '$1 ~ /slurm/' | sort | paste -sd,
	}
	for folder in include usr/include .; do
		mkdir -p "$work/slurm-rpm/$folder/slurm"
		echo '#define SLURM_VERSION_NUMBER 0x180b05' \
			>"$work/slurm-rpm/$folder/slurm/slurm_version.h"
		is "the RPM packages of Slurm's headers in $folder" \
			"stepwell-slurm-plugin 1.slurm24.11,stepwell-slurmdb 1.slurm24.11" \
			"$(rpms_of --define "slurm_dir $work/slurm-rpm")"
		rm -r "${work:?}/slurm-rpm"
	done
	is "without a library" "stepwell-slurm-plugin 1.slurm0.00" \
		"$(rpms_of --define "slurm_dir $work/slurm-rpm" \
			--without slurmdb)"
	is "slurm-devel is needed for no other folder" "slurm-devel " "$(
		for folder in '' "$work/slurm-rpm"; do
			rpmspec -q --buildrequires \
				--define '_unitdir /usr/lib/systemd/system' \
				${folder:+--define "slurm_dir $folder"} \
				"$abs_top_srcdir/packaging/stepwell.spec" |
				grep -x slurm-devel || echo
		done | paste -sd' ')"
else
	echo "ok - skip: no rpmspec"
fi

# No two Debian packages contain the same file: dpkg would refuse the second.
if command -v dh_install >/dev/null && [ -e /usr/share/dpkg/pkg-info.mk ]; then
	tree=$work/tree
	slurm_dir=usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/slurm-wlm
	mkdir "$tree"
	cp -r "$abs_top_srcdir/packaging/debian" "$tree"
	for file in usr/bin/stepwell usr/libexec/stepwell/stepwell-recorder \
		usr/libexec/stepwell/stepwell-slurmdb \
		{usr/,}lib/systemd/system/stepwell-sweep.timer \
		usr/lib/{sysusers,tmpfiles}.d/stepwell.conf \
		usr/share/man/man1/stepwell.1 "$slurm_dir/stepwell.so"; do
		install -D /dev/null "$tree/debian/tmp/$file"
	done
	(cd "$tree" && env -u MAKEFLAGS -u MAKELEVEL \
		make -sf debian/rules override_dh_install) >"$work/out" 2>&1
	is "debian/rules: what is installed is packaged" 0 $?
	(cd "$tree/debian" && find stepwell stepwell-slurm* -type f) |
		cut -d/ -f2- | sort >"$work/packaged"
	is "each file once" "" "$(uniq -d "$work/packaged")"
	is "stepwell-slurmdb and the units are among them" 2 \
		"$(grep -cE '/stepwell-(slurmdb|sweep.timer)$' "$work/packaged")"
else
	echo "ok - skip: no debhelper"
fi

# Missing build dependencies, named by dpkg, and installed by apt.
mkdir "$work/bin"
cat >"$work/bin/dpkg-checkbuilddeps" <<'END'
#!/bin/sh
echo 'dpkg-checkbuilddeps: error: Unmet build dependencies:' \
	'build-essential:native debhelper-compat (= 13) bpftool' \
	'libbpf-dev (>= 1:1.0) libssl3 (>> 3) | libssl1.1 check' >&2
exit 1
END
tee "$work/bin/git" >"$work/bin/dpkg-buildpackage" <<END
#!/bin/sh
: >"$work/was-built"
END
chmod 755 "$work"/bin/*
text=$(PATH=$work/bin:$PATH "$abs_top_srcdir/packaging/build-deb" \
	"$work/debs" 2>&1)
is "build-deb without what it needs fails" "1 no" "$? $([ -e "$work/was-built" ] &&
	echo yes || echo no)"
is "and says how to install it" \
	"apt-get install --no-install-recommends build-essential debhelper \
bpftool libbpf-dev libssl3 check" "$(tail -n 1 <<<"$text")"

# Verified by systemd, with an existing program.
if command -v systemd-analyze >/dev/null; then
	sed -i "s|^ExecStart=.*/|ExecStart=$abs_top_builddir/recorder/|" \
		"$units/stepwell-recorder.service"
	sed -i "s|^ExecStart=[^ ]*|ExecStart=$stepwell|" \
		"$units/stepwell-sweep.service"
	SYSTEMD_UNIT_PATH=$units: systemd-analyze --man=no verify \
		"$units"/stepwell-* >"$work/out" 2>&1
	is "systemd-analyze verify" "0 " "$? $(grep stepwell "$work/out")"
	# A measure of the rights left to an attacker who controls the recorder:
	# 10 is all.  Versions before 250 cannot rate a file.
	for unit in recorder sweep; do
		score=$(systemd-analyze security --offline=true --no-pager \
			"$units/stepwell-$unit.service" 2>/dev/null |
			sed -n 's/.*exposure level.*: \([0-9.]*\) .*/\1/p')
		if [ -n "$score" ]; then
			between "systemd-analyze security of the $unit" 0 3.0 \
				"$score"
		else
			echo "ok - skip: systemd-analyze cannot look at a file"
		fi
	done
	is "when the timer starts it" "*-*-* 05:30:00" \
		"$(systemd-analyze calendar "$(sed -n 's/^OnCalendar=//p' \
			"$units/stepwell-sweep.timer")" |
			sed -n 's/^ *Normalized form: //p')"
else
	echo "ok - skip: no systemd-analyze"
fi

# Both lists of capabilities are equal.
capabilities()
{
	grep -o 'CAP_[A-Z_]*' | sort -u | paste -sd' '
}
is "the unit has the capabilities that the recorder keeps" \
	"$(sed -n '/^#define DELIVERING/,/^#define RECORDING_BEFORE/p' \
		"$abs_top_srcdir/recorder/kernel/rights.c" |
		sed '$d' | grep -o 'BIT(CAP[A-Z_]*' | capabilities)" \
	"$(value service CapabilityBoundingSet | capabilities)"

# The folders, created as at boot, pass the doctor's checks.
if [ "$(id -u)" -eq 0 ] && command -v systemd-sysusers >/dev/null &&
   command -v systemd-tmpfiles >/dev/null; then
	root=$work/root
	mkdir -p "$root/etc" "$root/usr/sbin" \
		"$root/usr/lib/sysusers.d" "$root/usr/lib/tmpfiles.d"
	touch "$root/usr/sbin/slurmd"
	cp "$source_units/stepwell.sysusers" \
		"$root/usr/lib/sysusers.d/stepwell.conf"
	cp "$abs_top_builddir/packaging/systemd/stepwell.tmpfiles" \
		"$root/usr/lib/tmpfiles.d/stepwell.conf"
	"$stepwell" doctor --root "$root" >"$work/out"
	is "before: the account and the folders are missing" \
		"account profile_dir recorder spool travel" \
		"$(awk '/^FAIL/ { print $2 }' "$work/out" | sort |
			paste -sd ' ')"
	systemd-sysusers --root="$root" >/dev/null 2>&1
	systemd-tmpfiles --root="$root" --create >"$work/tmpfiles" 2>&1
	is "systemd-tmpfiles" 0 $?
	"$stepwell" doctor --root "$root" >"$work/out"
	is "after: nothing but the recorder is missing" recorder \
		"$(awk '/^FAIL/ { print $2 }' "$work/out")"
	is "after: they are well" "account profile_dir spool travel" \
		"$(awk '/^OK/ { print $2 }' "$work/out" |
			grep -E 'account|profile_dir|spool|travel' | sort |
			paste -sd ' ')"
	is "the socket's folder" "755 root" \
		"$(stat -c '%a %U' "$root/run/stepwell")"
else
	echo "ok - skip: needs root, systemd-sysusers and systemd-tmpfiles"
fi

# Compare the completion with the command's own tables of verbs and options.
PATH=$(dirname "$stepwell"):$PATH
# shellcheck source=packaging/completion.bash
. "$abs_top_srcdir/packaging/completion.bash"

# complete_pieces LINE PIECE...: print the replacements of the last piece, given
# how bash splits the line after "stepwell"
complete_pieces()
{
	COMP_LINE="stepwell $1"
	shift
	COMP_POINT=${#COMP_LINE}
	COMP_WORDS=(stepwell "$@")
	COMP_CWORD=$#
	COMPREPLY=()
	_stepwell 2>/dev/null
	printf '%s\n' "${COMPREPLY[@]}" | sort -u
}

# complete_words WORD...: print the proposals for the last of them
complete_words()
{
	complete_pieces "$*" "$@"
}

# options_in VERB: print those of its source's tables, or of the recorder's
# help; "import --of-run" is internal to the recorder
options_in()
{
	if [ "$1" = run ]; then
		"$abs_top_builddir/recorder/stepwell-recorder" --help |
			sed -nE 's/^  (    |-[a-zA-Z], )(--[a-z-]+).*/\2/p'
	else
		sed -nE '/struct sw_option [a-z_]+\[\]/,/};/{
			s/\{ "([a-z-]+)(=[A-Z]+)?", /\n--\1\n/gp }' \
			"$abs_top_srcdir/analyzer/verbs/verb_$1.c" | grep '^--'
		echo --help
	fi | grep -vxE -- --of-run | sort -u
}

verbs=$(sed -n 's/^	\.name = "\(.*\)",/\1/p' \
	"$abs_top_srcdir"/analyzer/verbs/verb_*.c | sort)
is "there are verbs" yes "$([ "$(wc -l <<<"$verbs")" -ge 7 ] && echo yes)"
is "completion: verbs" "$(printf '%s\n' --help --version "$verbs" | sort)" \
	"$(complete_words '')"
for verb in $verbs; do
	is "completion: options of $verb" "$(options_in "$verb")" \
		"$(complete_words "$verb" --)"
done
is "completion: a prefix" "--json" "$(complete_words doctor --j)"
is "completion: findings" "$("$stepwell" explain | cut -d' ' -f1 | sort)" \
	"$(complete_words explain '')"
is "completion: methods" "$("$stepwell" backtest --method list | sort)" \
	"$(complete_words backtest --method '')"
export XDG_STATE_HOME=$work/state
mkdir -p "$XDG_STATE_HOME/stepwell"
"$stepwell" run --no-report --output "$XDG_STATE_HOME/stepwell/mine.stepwell" \
	-- true
is "completion: dialects" "$("$stepwell" suggest --dialect list | sort)" \
	"$(complete_words suggest --dialect '')"
is "completion: recordings" mine "$(complete_words report mi)"
cat >"$work/past.csv" <<'END'
wf,task,id,runtime_s,peak_mem_b
flow,map,1,60,5000000
wide,a b,1,60,5000000
bad,$(touch was-run),1,60,5000000
END
export STEPWELL_HISTORY=$work/history.sqlite
"$stepwell" import --quiet "$work/past.csv"
is "completion: groups" flow:map "$(complete_words backtest fl)"
# Bash splits the name into three words, and keeps all but the last.
is "completion: behind the colon of a group" map \
	"$(complete_pieces 'backtest flow:m' backtest flow : m)"
is "completion: at the colon" map \
	"$(complete_pieces 'suggest flow:' suggest flow :)"
is "completion: a group and no other word before a colon" "" \
	"$(complete_pieces 'suggest floe:m' suggest floe : m)"
is "completion: a quoted colon makes no words" 'flow:map flow:map' \
	"$(complete_words backtest 'flow\:m') $(complete_words backtest '"flow:m')"
is "completion: a group with a blank" 'wide:a b' \
	"$(complete_words backtest wid)"
cd "$work" || exit
# The name is not changed.
# shellcheck disable=SC2016
is "completion: a name of a group is no command" 'bad:$(touch was-run)' \
	"$(complete_words backtest bad)"
is "completion: and none was run" "" "$(ls "$work/was-run" 2>/dev/null)"
touch "$work/a-file"
is "completion: files" "$work/a-file" "$(complete_words report "$work/a-")"
is "completion: the command behind --" "$work/a-file" \
	"$(complete_words run --name x -- "$work/a-")"

tally
