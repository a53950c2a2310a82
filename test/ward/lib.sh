# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the cases of the ward may use.  Sourced before the case by run-case,
# which sets:
#
#	$WARD_DIR	an empty folder on a disk
#	$WARD_BUILD	the build tree
#	$WARD_TRUTH	a file for "name=value ...", which "# number:" can name

# As root mpirun of Open MPI runs only where both are set.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# skip WHY: this machine cannot show that illness
skip()
{
	echo "skip: $*" >&3
	exit 77
}

# ward PROGRAM ARGUMENT...: a program of test/ward/programs; what it prints is
# truth.
ward()
{
	local program=$1
	shift
	"$WARD_BUILD/test/ward/programs/$program" "$@" >>"$WARD_TRUTH"
}

# workload PROGRAM ARGUMENT...: one of test/workloads
workload()
{
	local program=$1
	shift
	"$WARD_BUILD/test/workloads/$program" "$@"
}

# long N: as run-ward --length says, in full numbers.  Cases name the time that
# they take with this, or with repeat and the programs of test/ward, which know
# that length themselves.
long()
{
	echo $((($1 * ${WARD_LENGTH:-100} + 50) / 100))
}

# repeat SECONDS COMMAND...: again and again, until so long has passed
repeat()
{
	local end=$((SECONDS + $(long "$1")))
	shift
	while [ $SECONDS -lt $end ]; do
		"$@" || return
	done
}

# burn HOW SECONDS and crew KIND HOW TASKS SECONDS [AT-A-TIME]: of programs/,
# for so long as --length says
burn()
{
	"$WARD_SOURCE/programs/burn" "$1" "$(long "$2")"
}

crew()
{
	"$WARD_SOURCE/programs/crew" "$1" "$2" "$3" "$(long "$4")" "${@:5}"
}

# burn_prepare: what some of its languages read, in the page cache
burn_prepare()
{
	base64 /dev/urandom | head -c 16777216 >"$WARD_DIR/burn.data"
}

# tell_cpu: the CPU time of the job until now, as "cpu"
tell_cpu()
{
	# In a pipeline it would tell of that alone.
	times >"$WARD_DIR/cpu"
	awk -F '[ms ]+' '{ cpu += 60 * ($1 + $3) + $2 + $4 }
		END { print "cpu=" cpu }' "$WARD_DIR/cpu" >>"$WARD_TRUTH"
}

# tool NAME PROGRAM: a copy of one of test/workloads, with the name of a tool
tool()
{
	cp "$WARD_BUILD/test/workloads/$2" "$WARD_DIR/$1"
}

# compile SOURCE OPTION...: $WARD_DIR/NAME of test/ward/programs/SOURCE, for
# what configure does not look for
compile()
{
	local source=$1
	shift
	"${CC_WARD:-cc}" -O2 -o "$WARD_DIR/${source%.c}" \
		"$WARD_SOURCE/programs/$source" "$@" 2>&1 ||
		skip "$source cannot be compiled with $*"
}

# a_file NAME MIB: random bytes, not in the page cache
a_file()
{
	head -c "$(($2 << 20))" /dev/urandom >"$WARD_DIR/$1" || exit 1
	sync "$WARD_DIR/$1"
	forget "$1"
}

# forget NAME: its pages
forget()
{
	dd if="$WARD_DIR/$1" iflag=nocache count=0 status=none
}

# slow_mount NAME OPS=MSEC [FILE=BYTES]...: a file system of $WARD_DIR/NAME
# each of whose OPS takes so long; the case needs "fuse".
slow_mount()
{
	local name=$1 delay=$2 file files=()
	shift 2
	for file; do
		files+=(--file "$file")
	done
	stall_mount "$name" --delay "$delay" "${files[@]}"
}

# stall_mount NAME OPTION...: the same, with options of test/fuse/fuse_stall
stall_mount()
{
	local folder=$WARD_DIR/$1 said=$WARD_DIR/$1.said
	shift
	mkdir "$folder"
	: >"$said"
	"$WARD_BUILD/test/fuse/fuse_stall" "$@" "$folder" >"$said" 2>&1 3>&- &
	fuse_server=$!
	until grep -q ready "$said"; do
		kill -0 "$fuse_server" 2>/dev/null ||
			skip "no FUSE file system can be mounted here"
		sleep 0.05
	done
}

# Cgroups: of v1 or v2, whichever has the controller, with the process that
# called it in them; the recorded command inherits it.

# controller NAME: the folder below which a cgroup with it can be made
controller()
{
	local mount
	mount=$(awk -v name="$1" '$3 == "cgroup" &&
		("," $4 ",") ~ "," name "," { print $2; exit }' /proc/mounts)
	if [ -n "$mount" ]; then
		echo "$mount"
		return
	fi
	mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	grep -qsw "$1" "$mount/cgroup.controllers" || return 1
	echo "+$1" 2>/dev/null >"$mount/cgroup.subtree_control"
	grep -qsw "$1" "$mount/cgroup.subtree_control" && echo "$mount"
}

# limited CONTROLLER V1-FILE V1-VALUE V2-FILE V2-VALUE
limited()
{
	local folder
	folder=$(controller "$1") || skip "no cgroup can limit $1 here"
	folder=$folder/ward-$$-$1
	mkdir -p "$folder" 2>/dev/null || skip "no cgroup can be made here"
	echo "$folder" >>"$WARD_DIR/cgroups"
	if [ -n "$2" ] && [ -e "$folder/$2" ]; then
		echo "$3" >"$folder/$2"
	else
		echo "$5" >"$folder/$4"
	fi || skip "the limit of $1 cannot be set"
	echo $BASHPID >"$folder/cgroup.procs" ||
		skip "no process can be put below a limit of $1"
}

# limit_memory MIB
limit_memory()
{
	limited memory memory.limit_in_bytes "$(($1 << 20))" \
		memory.max "$(($1 << 20))"
}

# limit_cpu PERCENT of one CPU
limit_cpu()
{
	limited cpu cpu.cfs_quota_us "$(($1 * 1000))" \
		cpu.max "$(($1 * 1000)) 100000"
}

# limit_disk MIB: how much is read in a second from the disk of $WARD_DIR
limit_disk()
{
	local source device bytes=$(($1 << 20))

	source=$(df --output=source . | tail -n 1)
	# A partition is not limited by itself.
	device=$(lsblk -no PKNAME "$source" 2>/dev/null | head -n 1)
	[ -z "$device" ] || source=/dev/$device
	device=$(lsblk -dno MAJ:MIN "$source" 2>/dev/null | tr -d ' ')
	[ -n "$device" ] || skip "the disk of $WARD_DIR is not known"
	if controller blkio >/dev/null; then
		limited blkio blkio.throttle.read_bps_device "$device $bytes" \
			io.max ""
	else
		limited io "" "" io.max "$device rbps=$bytes"
	fi
}

# The cgroups of limited() after everything in them has ended.
remove_cgroups()
{
	local folder
	[ -e "$WARD_DIR/cgroups" ] || return 0
	while read -r folder; do
		echo $BASHPID >"${folder%/*}/cgroup.procs"
		find "$folder" -depth -type d -exec rmdir {} \; 2>/dev/null
	done <"$WARD_DIR/cgroups"
}
