#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The fake host of SPANK plugins: it calls the hooks in Slurm's order, answers
# like Slurm, and detects each kind of misbehavior.
set -u
: "${abs_top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${abs_top_builddir:=$PWD}"
folder=$abs_top_builddir/test/spank
host=$folder/spank-host
probe=$folder/probe.so
work=$(mktemp -d "${TMPDIR:-/tmp}/stepwell-spank.XXXXXX") || exit 99
chmod 755 "$work"
passed=0
failed=0
trap 'rm -rf "$work"' EXIT

# is WHAT EXPECTED GOT
is()
{
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
		echo "ok - $1"
	else
		failed=$((failed + 1))
		echo "not ok - $1"
		printf '%s\n' "$2" | sed 's/^/#   expected: /'
		printf '%s\n' "$3" | sed 's/^/#   got:      /'
	fi
}

skip()
{
	echo "ok - skip: $1"
}

# play ARGUMENT...: run the host; its output in $work/out, its status in $rc
play()
{
	: >"$work/log"
	"$host" --arg "log=$work/log" "$@" >"$work/out" 2>"$work/err"
	rc=$?
}

# Print the hooks of one context in the host's order, except those of tasks.
hooks()
{
	sed -n 's/.*"event":"hook".*"context":"'"$1"'","hook":"\([a-z_]*\)".*/\1/p' \
		"$work/out" | grep -v '^task_init' | tr '\n' ' '
}

kinds()
{
	sed -n 's/.*"event":"violation".*"kind":"\([^"]*\)".*/\1/p' \
		"$work/out" | sort -u | tr '\n' ' '
}

# answers CONTEXT HOOK: print a digit per item as seen by the probe, as a set
answers()
{
	awk -v context="$1" -v hook="$2" '$2 == context && $3 == hook {
		print $5 }' "$work/log" | sort -u | tr '\n' ' '
}

count()
{
	grep -c "$1" "$work/out"
}

is_sanitized=no
nm "$host" | grep -q __asan && is_sanitized=yes
release=$("$host" "$probe" | sed -n 's/.*"slurm":"\([0-9.]*\)".*/\1/p')

play --no-such-thing "$probe"
is "an unknown option is an error" 2 "$rc"
play --slurm 1.0 "$probe"
is "an unknown release too" 2 "$rc"

# --- the orders of the hooks
play --contexts slurmd,allocator,local,job_script,remote --tasks 3 "$probe"
is "a whole job has no violation" 0 "$rc"
is "slurmd: init and slurmd_exit" "init slurmd_exit " "$(hooks slurmd)"
is "sbatch: init, init_post_opt, exit" "init init_post_opt exit " \
	"$(hooks allocator)"
is "srun: local_user_init as well" \
	"init init_post_opt local_user_init exit " "$(hooks local)"
is "prolog and epilog" "job_prolog job_epilog " "$(hooks job_script)"
is "slurmstepd: post_fork by rank, then the exits" \
	"init init_post_opt user_init task_post_fork task_post_fork \
task_post_fork task_exit task_exit task_exit exit " "$(hooks remote)"
is "post_fork is called by rank" "0 1 2 " "$(
	sed -n 's/.*"task_post_fork".*"task":\([0-9]*\).*/\1/p' "$work/out" |
	tr '\n' ' ')"
is "each task has both hooks of its own" "3 3" \
	"$(count '"task_init_privileged"') $(count '"task_init"')"
is "the tasks' hooks run in the tasks" 3 "$(
	awk '$3 == "task_init" { print $1 }' "$work/log" | sort -u | wc -l)"
# Every line is one JSON object.
is "lines are JSON" "" "$(python3 -c '
import json, sys
for line in open(sys.argv[1]):
    json.loads(line)' "$work/out" 2>&1)"

# --- answers of items by context: 0 success, a NOT_AVAIL, 7 NOT_REMOTE, 2
# BAD_ARG, 3 NOT_TASK, 8 NOEXIST, 9 NOT_EXECD; in spank.h's order
version_only=aaaaaaaaaaaaaaaaaaaa0000aaaaaaaa
is "slurmd: nothing but the version" "$version_only " "$(answers 4 init)"
is "prolog: uid, gid, job id" "000aaaaaaaaaaaaaaaaa0000aaaaaaaa " \
	"$(answers 5 job_prolog)"
is "sbatch: nothing" "aa222772722777777777000077777777 " \
	"$(answers 3 init_post_opt)"
is "srun before the job: not yet" "aaaaa77a7aa777777777000077777777 " \
	"$(answers 1 init)"
is "srun's local_user_init: eight items" "00000770700777777777000077777777 " \
	"$(answers 1 local_user_init)"
is "slurmstepd's init: no task yet" "00000000000333399000000000000000 " \
	"$(answers 2 init)"
is "post_fork: the pid, no status" "00000000000003088000000000000000 " \
	"$(answers 2 task_post_fork)"
is "task_exit: the status as well" "00000000000000088000000000000000 " \
	"$(answers 2 task_exit)"
is "exit: no task" "00000000000333388000000000000000 " "$(answers 2 exit)"

# --- options
play --slurm 22.05 --ignore-version --contexts local,remote \
	--option probe=one "$probe"
is "22.05 gives an option twice to the step" "message environment " "$(
	grep '"context":"remote"' "$work/out" |
	sed -n 's/.*"from":"\([a-z]*\)".*/\1/p' | tr '\n' ' ')"
play --slurm 24.11 --ignore-version --contexts local,remote \
	--option probe=one "$probe"
is "24.11 gives it once" "message " "$(
	grep '"context":"remote"' "$work/out" |
	sed -n 's/.*"from":"\([a-z]*\)".*/\1/p' | tr '\n' ' ')"
play --contexts allocator,local,remote --option probe=one "$probe"
is "sbatch's option reaches the srun inside" one "$(
	sed -n 's/.*"context":"local","name":"probe","value":"\([a-z]*\)".*/\1/p' \
		"$work/out")"
play --slurm 22.05 --ignore-version --contexts allocator,remote \
	--export-none --step batch --option probe=one "$probe"
is "22.05, --export=NONE: not the batch step" 1 "$(count '"event":"option"')"
play --slurm 24.11 --ignore-version --contexts allocator,remote \
	--export-none --step batch --option probe=one "$probe"
is "24.11, --export=NONE: the batch step too" 2 "$(count '"event":"option"')"
play --contexts local --option probe=bad "$probe"
is "what the callback says of a value is seen" 1 "$(count '"rc":1}')"

# --- loading
play --includes 2 --option probe=two "$probe"
is "two includes: each hook twice, no violation" "0 2 2" \
	"$rc $(count '"hook":"init"') $(count '"hook":"exit"')"
play "$folder/probe-other.so"
is "a plugin of another release is refused" "1 plugin_version" "$rc $(
	sed -n 's/.*"event":"refused".*"why":"\([^"]*\)".*/\1/p' "$work/out")"
for name in $("$host" --list); do
	play --slurm "$name" --ignore-version --tasks 2 --steps 2 "$probe"
	is "Slurm $name" "0 2" "$rc $(count '"event":"step"')"
done

# --- parts of a life
play --skip-hook task_exit --tasks 2 "$probe"
is "a hook can be left out" 0 "$(count '"task_exit"')"
play --stop-at init_post_opt "$probe"
is "a launch that fails early has its exit hook" "0 init init_post_opt exit " \
	"$rc $(hooks remote)"
play --stop-at task_post_fork --tasks 2 "$probe"
is "one that fails between the tasks too" \
	"0 init init_post_opt user_init task_post_fork exit " \
	"$rc $(hooks remote)"
play --die-after task_post_fork "$probe"
is "a killed slurmstepd has no more hooks" \
	"0 init init_post_opt user_init task_post_fork " "$rc $(hooks remote)"
play --rounds 3 --steps 2 "$probe"
is "rounds are the job's next steps" "0 0 1 2 3 4 5 " "$rc $(
	sed -n 's/.*"event":"step".*"step":\([0-9]\).*/\1/p' "$work/out" |
	sort | tr '\n' ' ')"
play --step extern "$probe"
is "extern: one post_fork, of no task" \
	"0 init init_post_opt task_post_fork exit " "$rc $(hooks remote)"
is "extern: S_TASK_* say so" "00000000000333388000000000000000 " \
	"$(answers 2 task_post_fork)"
play --tasks 64 --steps 2 --first-rank 64 "$probe" sleep 0.05
is "two steps of 64 tasks at once" "0 128 128" \
	"$rc $(count '"task_post_fork"') $(count '"task_exit"')"
play --item S_JOB_NODEID=7 --item S_JOB_ALLOC_MEM=99 "$probe"
is "numbers can be given" 0 "$rc"
play --tasks 1 "$probe" sh -c 'exit 7'
is "a task's status is its program's" 1 "$(count '"failed":1')"
# shellcheck disable=SC2016 # the task's shell expands it
play --job-stderr "$work/stderr" --env WORD=told "$probe" \
	sh -c 'echo $WORD >&2'
is "descriptor 2 and the environment are the job's" told \
	"$(cat "$work/stderr")"

# --- contained hooks
play --slurm 22.05 --ignore-version --contain "$probe"
is "22.05 has no contain_spank" 2 "$rc"
play --slurm 24.11 --ignore-version --contain --tasks 2 "$probe"
is "contained hooks: all there, no violation" \
	"0 init init_post_opt user_init task_post_fork task_post_fork \
task_exit task_exit exit " "$rc $(hooks remote)"
is "they run in children of their own" 2 "$(
	awk '$3 == "task_post_fork" { print $1 }' "$work/log" | sort -u |
	wc -l)"

# --- each kind of misbehavior is detected: hook, kind, the host's events
while read -r hook kind expected; do
	case $kind:$is_sanitized in
	heap:yes | crash:yes | trust:yes)
		skip "$kind in a sanitized host"
		continue ;;
	esac
	# A sanitizer's heap does not reveal its size.
	if [ "$is_sanitized" = yes ]; then
		expected=${expected#heap }
		expected=${expected% heap}
	fi
	play --check-heap --arg "$hook=$kind" "$probe"
	seen=$(kinds)
	# Its code may be unloaded before the process ends; see the case below.
	# With a sanitizer the signal becomes an exit.
	if [ "$kind" = thread ]; then
		seen=${seen#crash }
		seen=${seen#process }
	fi
	is "$kind in $hook is seen" "1 $expected" "$rc ${seen% }"
done <<-END
	init fd fd
	task_post_fork fd fd
	exit fd fd
	init inherited-fd fd
	task_exit close fd
	init thread heap threads
	init_post_opt mask signal mask
	task_exit handler signal disposition
	task_post_fork child child children
	init umask umask
	exit cwd cwd
	init timer timer
	init environment environment heap
	exit heap heap
	exit rc rc
	exit crash crash
END
play --arg init=inherited-fd "$probe"
is "and that a task would inherit a descriptor" 1 \
	"$(count 'a task would inherit')"
PROBE_AT_LOAD=1 play "$probe"
is "what a constructor leaves is seen" "1 fd " "$rc $(kinds)"
PROBE_AT_UNLOAD=1 play "$probe"
is "what a destructor leaves is seen" "1 umask " "$rc $(kinds)"
play --arg exit=slow --max-hook-usec 20000 "$probe"
is "a slow hook is seen" "1 slow " "$rc $(kinds)"
play --arg exit=slow --max-step-usec 20000 "$probe"
is "a slow step is seen" "1 slow " "$rc $(kinds)"
play --contexts local --arg exit=item "$probe"
is "an item asked in srun's exit is seen" "1 item " "$rc $(kinds)"
play --arg exit=thread --linger-usec 50000 "$probe"
if [ "$is_sanitized" = no ]; then
	is "a thread that outlives dlclose() ends the process" \
		"1 crash threads " "$rc $(kinds)"
fi
play --slurm 24.11 --ignore-version --contain --arg task_post_fork=thread \
	"$probe"
is "a thread of a contained hook is seen" "1 threads " "$rc $(kinds)"

# --- items that fail
play --fail-item every --contexts slurmd,local,remote "$probe"
is "every item fails in turn, 32 times" "0 32" \
	"$rc $(count '"event":"fail-item"')"
play --fail-item S_JOB_NODEID "$probe"
is "and only that one" "00000100000333399000000000000000 " \
	"$(answers 2 init)"
if [ "$is_sanitized" = no ]; then
	play --fail-item S_JOB_ALLOC_CORES --arg init=trust "$probe"
	is "who trusts a failed item dies of poison" "1 crash " "$rc $(kinds)"
fi

# --- namespaces, cgroups and users: as root only
if [ "$(id -u)" -eq 0 ] && unshare --net --mount true 2>/dev/null; then
	play --unshare net,mnt --tasks 2 "$probe" \
		sh -c 'readlink /proc/self/ns/net /proc/self/ns/mnt >&2'
	is "fresh network and mount namespaces" 0 "$rc"
	play --unshare net,mnt --job-stderr "$work/ns" "$probe" \
		sh -c 'readlink /proc/self/ns/net /proc/self/ns/mnt >&2'
	is "they are not ours" 0 "$(grep -cxF -e "$(readlink /proc/self/ns/net)" \
		-e "$(readlink /proc/self/ns/mnt)" "$work/ns")"
	mkdir "$work/hidden" && touch "$work/hidden/file"
	play --hide "$work/hidden" --job-stderr "$work/ls" "$probe" \
		sh -c "ls '$work/hidden' >&2"
	is "a folder can be hidden" "0 " "$rc $(cat "$work/ls")"
	play --slurm 24.11 --ignore-version --job-ns "$probe"
	is "contained hooks in the job's mount namespace" 0 "$rc"
	play --step-in-ns --ns-dir /proc/tty --job-stderr "$work/tmp" \
		"$probe" sh -c 'stat -f -c %T /proc/tty >&2'
	is "a step in the job's mount namespace" "0 tmpfs" \
		"$rc $(cat "$work/tmp")"
	play --uid 65534 --umask 000 --job-stderr "$work/id" "$probe" \
		sh -c 'id -u >&2; umask >&2'
	is "tasks run as the user, with the umask of the job" "0 65534 0000" \
		"$rc $(tr '\n' ' ' <"$work/id" | sed 's/ $//')"
else
	skip "namespaces and users need root"
fi
tree=/sys/fs/cgroup/unified
[ -d "$tree" ] || tree=/sys/fs/cgroup
mine=$tree/stepwell-spank-test.$$
if mkdir "$mine" 2>/dev/null && [ -e "$mine/cgroup.procs" ]; then
	play --slurm 22.05 --ignore-version --cgroup "$mine" --tasks 2 \
		--first-rank 4 --job-stderr "$work/cgroup" "$probe" \
		sh -c 'grep ^0:: /proc/self/cgroup >&2'
	is "22.05 names a task's cgroup by its place" \
		"0 task_0 task_1 " "$rc $(sed -n 's/.*\/job_1234\/step_0\/user\///p' \
			"$work/cgroup" | sort | tr '\n' ' ')"
	: >"$work/cgroup"
	play --slurm 24.11 --ignore-version --cgroup "$mine" --tasks 2 \
		--first-rank 4 --job-stderr "$work/cgroup" "$probe" \
		sh -c 'grep ^0:: /proc/self/cgroup >&2'
	is "24.11 by its rank" "0 task_4 task_5 " "$rc $(
		sed -n 's/.*\/job_1234\/step_0\/user\///p' "$work/cgroup" |
		sort | tr '\n' ' ')"
	rmdir "$mine/system" "$mine"
	is "the step's cgroups are gone" 0 "$?"
else
	rmdir "$mine" 2>/dev/null
	skip "no cgroups can be made here"
fi

# --- requirements for a plugin's file
checker=$abs_top_srcdir/test/spank/check-plugin
"$checker" "$folder/minimal.so" >"$work/out"
is "check-plugin passes a lean plugin" "0 14" "$? $(count '^ok')"
"$checker" "$probe" >"$work/out"
is "check-plugin refuses the probe, and says why" "1 \
changes nothing that the process has once;\
exports nothing but hooks that Slurm calls;runs nothing at load and unload;\
starts no thread and takes no lock;uses no heap;" "$? $(sed -n 's/^not ok - .*\.so: //p' "$work/out" | LC_ALL=C sort |
	tr '\n' ';')"
"$checker" "$folder/fat.so" >"$work/out"
is "check-plugin sees all that a plugin must not be" "1 \
asks its host only for calls that every release has;\
changes nothing that the process has once;\
exports nothing but hooks that Slurm calls;\
has no executable stack;has no search path of its own and no text relocation;\
has no thread-local storage;has what the loader of plugins wants;\
needs libc alone;never ends the process;runs nothing at load and unload;\
starts no thread and takes no lock;uses no heap;uses no streams and no syslog;" \
	"$? $(sed -n 's/^not ok - .*\.so: //p' "$work/out" | LC_ALL=C sort |
		tr '\n' ';')"
"$checker" /dev/null >"$work/out" 2>/dev/null
is "check-plugin refuses what is no plugin" "1 1" \
	"$? $(count 'not ok - .*is a shared object')"

echo "$passed passed, $failed failed; headers of Slurm $release"
[ "$failed" -eq 0 ]
