/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code shared by the rules about how programs end. */
#include "analyzer/rules/rule_program.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "common/delta.h"
#include "common/exit_status.h"
#include "common/text.h"

static const char *const shells[] = {
	"sh", "bash", "dash", "zsh", "ksh", "csh", "tcsh", "busybox",
	/* slurmd's name for the batch script, and its slurmstepd */
	"slurm_script", "slurmstepd",
};

/* Return true if some processes are known to have ended, but not how. */
static bool has_unknown_end(const struct sw_view_program *program)
{
	uint64_t known = sw_add_u64(
		sw_add_u64(program->exited_ok, program->exited_nonzero),
		program->killed);

	return !sw_is_missing(program->ended) && program->ended > 0 &&
	       (sw_is_missing(known) || known < program->ended);
}

/* Only the end of the command itself is always known. */
const char *sw_program_unseen_ends(const struct sw_view *view)
{
	size_t i;

	for (i = 0; i < view->program_count; i++) {
		if (has_unknown_end(&view->programs[i]) ||
		    !view->programs[i].is_complete)
			return "this source of programs does not see how every "
			       "process ended";
	}
	return NULL;
}

double sw_program_most(uint64_t most, uint64_t all,
		       const struct sw_view_program *program)
{
	if (!sw_is_missing(most))
		return (double)most;
	if (sw_is_missing(all) || sw_zero_if_missing(program->ended) == 0)
		return NAN;
	return (double)all / (double)program->ended;
}

uint64_t sw_program_failures(const struct sw_view_program *program)
{
	return sw_excess_u64(program->exited_nonzero,
			     sw_zero_if_missing(program->forked_nonzero));
}

bool sw_program_has_not_found(const struct sw_view_program *program)
{
	if (!sw_program_is_shell(program->name))
		return false;
	if (!sw_is_missing(program->forked_not_found))
		return program->forked_not_found > 0;
	return program->last_exit_status == SW_STATUS_NOT_FOUND ||
	       program->last_exit_status == SW_STATUS_NOT_EXECUTABLE;
}

bool sw_program_has_failed(const struct sw_view_program *program)
{
	return (sw_zero_if_missing(sw_program_failures(program)) > 0 &&
		!sw_program_is_answer(program)) ||
	       sw_zero_if_missing(program->killed) > 0;
}

bool sw_step_is_command(const struct sw_view *view,
			const struct sw_view_program *program)
{
	return program->started == 1 &&
	       !strcmp(sw_text(view->program), program->name);
}

bool sw_signal_is_crash(uint64_t signal)
{
	return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT ||
	       signal == SIGFPE || signal == SIGILL;
}

uint64_t sw_program_crashes(const struct sw_view_program *program)
{
	uint64_t others = sw_zero_if_missing(program->signal_other);
	bool has_crash = sw_signal_is_crash(program->last_signal);

	if (sw_is_missing(program->signal_segv))
		return has_crash ? sw_zero_if_missing(program->killed) : 0;
	/* Other signals are known for the last process only. */
	return sw_zero_if_missing(program->signal_segv) +
	       sw_zero_if_missing(program->signal_abrt) +
	       (has_crash ? others : 0);
}

bool sw_program_is_shell(const char *program)
{
	return SW_IS_AMONG(program, shells);
}

/* Programs that start others, and fail if one of them fails. */
static const char *const messengers[] = {
	"xargs", "parallel", "make", "gmake", "ninja", "env", "nice", "nohup",
	"time", "stdbuf", "setsid", "taskset", "numactl", "timeout", "ionice",
	"chrt", "unshare", "sudo", "find", "apptainer", "singularity",
	"starter-suid", "podman", "srun", "mpirun", "mpiexec",
	"mpirun.openmpi", "mpiexec.openmpi", "mpirun.mpich", "mpiexec.mpich",
	"mpiexec.hydra", "mpirun.hydra", "mpiexec.slurm", "mpiexec.gforker",
	"hydra_pmi_proxy", "hydra_bstrap_proxy", "pmi_proxy", "orterun",
	"orted", "prte", "prterun", "prted", "mpispawn", "mpirun_rsh",
	"charmrun", "torchrun", "aprun", "jsrun", "prun", "blaunch", "pbsdsh",
};

bool sw_program_is_messenger(const char *program)
{
	return SW_IS_AMONG(program, messengers);
}

/* Exit status for "no", or for nothing to clean up or to draw on; 0 means any
 * but 0. */
static const struct {
	const char *program;
	uint64_t status;
} answers[] = {
	/* EXIT STATUS of each in POSIX.1-2017, Utilities, or its manual */
	{ "grep", 1 }, { "egrep", 1 }, { "fgrep", 1 }, { "zgrep", 1 },
	{ "rg", 1 }, { "diff", 1 }, { "zdiff", 1 }, { "cmp", 1 },
	{ "git", 1 },
	{ "test", 1 }, { "[", 1 }, { "expr", 1 }, { "false", 1 },
	{ "pgrep", 1 }, { "pkill", 1 }, { "which", 1 }, { "getent", 2 },
	{ "pkg-config", 1 }, { "pkgconf", 1 }, { "timeout", 124 },
	{ "timeout", 137 },
	{ "tput", 0 }, { "stty", 0 }, { "tty", 0 },
	/* Asked if a file or a user exists. */
	{ "ls", 2 }, { "stat", 1 }, { "readlink", 1 }, { "realpath", 1 },
	{ "id", 1 }, { "pidof", 1 }, { "lsof", 1 }, { "fuser", 1 },
	{ "rm", 0 }, { "rmdir", 0 }, { "kill", 0 }, { "killall", 0 },
	{ "umount", 0 }, { "fusermount", 0 },
};

bool sw_program_is_answer(const struct sw_view_program *program)
{
	size_t i;

	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		if (!strcmp(answers[i].program, program->name) &&
		    (answers[i].status == 0 ||
		     answers[i].status == program->last_exit_status))
			return true;
	}
	return false;
}
