#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The plugin in the fake host: every release loads it, and it breaks no rules,
# whether or not a recorder listens.
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"
folder=$abs_top_builddir/test/spank
host=$folder/spank-host
plugin=$abs_top_builddir/spank/stepwell.so

# Most runs use releases that the plugin was not built for.
any=(--ignore-version)

# play ARGUMENT...: run the host; its output in $work/out, its status in $rc
play()
{
	"$host" "${any[@]}" --arg "socket=$work/socket" \
		--arg recorder=/nonexistent "$@" "$plugin" \
		>"$work/out" 2>"$work/err"
	rc=$?
}

violations()
{
	sed -n 's/.*"event":"violation".*"kind":"\([^"]*\)".*"text":"\([^"]*\)".*/\1: \2/p' \
		"$work/out"
}

# lawful WHAT ARGUMENT...
lawful()
{
	local what=$1
	shift
	play "$@"
	is "$what" "0" "$rc$(violations | sed 's/^/ /')"
}

# Print the releases that accept it, by Slurm's rules.
loaded_by()
{
	local release any=()

	for release in $("$host" --list); do
		play --slurm "$release" --tasks 1
		grep -q '"event":"refused"' "$work/out" || echo "$release"
	done
}

try_plugin()
{
	"$abs_top_srcdir/test/spank/check-plugin" "$plugin" >"$work/checks"
	is "what it is made of: every check" "0" \
		"$?$(grep '^not' "$work/checks")"
	is "one release of Slurm takes it" 1 "$(loaded_by | wc -l)"
	for release in $("$host" --list); do
		lawful "$release: a whole job" --slurm "$release" --tasks 3 \
			--contexts slurmd,allocator,local,job_script,remote \
			--check-heap
		lawful "$release: each item fails in turn" --slurm "$release" \
			--tasks 2 --fail-item every
	done
	lawful "included twice" --includes 2 --tasks 2
	lawful "hooks in children that share memory" --slurm 24.05 --contain \
		--tasks 3
	if unshare --mount true 2>/dev/null; then
		lawful "in a mount namespace of the job's own" --slurm 24.05 \
			--job-ns --tasks 2
	else
		echo "ok - skip: no mount namespace can be made here"
	fi
	lawful "a launch that fails" --stop-at task_post_fork --tasks 3
	lawful "256 tasks, the third round" --tasks 256 --rounds 3
	lawful "the batch step" --step batch --tasks 1
	lawful "--export=NONE" --export-none --contexts allocator,remote
}

try_options()
{
	for value in on off quiet report 500ms 0.5 2m; do
		lawful "--stepwell=$value" --option "stepwell=$value" \
			--contexts allocator,remote
	done
	for value in '' offf -1 0 ms; do
		play --option "stepwell=$value" --contexts allocator,remote
		is "--stepwell='$value' is refused by sbatch, with a reason" "1" \
			"$(grep -c '"error".*must be off, on, quiet, report' "$work/out")"
	done
	for word in wait_ms=x wait_ms=10001 socket=relative unknown; do
		play --contexts remote --arg "$word"
		is "plugstack.conf: $word is named, and no job fails" "0 1" \
			"$rc $(grep -c "\"error\".*stepwell: ${word#*=}: .* \(is used\|it is ignored\)" "$work/out")"
	done
}

try_plugin
try_options
tally
