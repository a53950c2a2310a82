/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code shared by the rules about how programs end. */
#include "analyzer/rules/rule_program.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "analyzer/view/answers.h"
#include "common/exit_status.h"
#include "common/text.h"

static const char *const shells[] = {
	"sh", "bash", "dash", "zsh", "ksh", "csh", "tcsh", "busybox",
	/* slurmd's name for the batch script, and its slurmstepd */
	"slurm_script", "slurmstepd",
};

double sw_program_most(uint64_t most, uint64_t all,
		       const struct sw_view_program *program)
{
	if (!sw_is_missing(most))
		return (double)most;
	if (sw_is_missing(all) || sw_zero_if_missing(program->ended) == 0)
		return NAN;
	return (double)all / (double)program->ended;
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

bool sw_program_is_answer(const struct sw_view_program *program)
{
	return sw_status_is_answer(program->name, program->last_exit_status);
}

/* They prepare files, inspect them or print a line: never a step's work. */
static const char *const helpers[] = {
	"[",	    "basename", "chgrp",    "chmod",	"chown",    "date",
	"df",	    "dirname",	"du",	    "echo",	"expr",	    "file",
	"free",	    "getconf",	"getent",   "groups",	"hostname", "id",
	"ln",	    "locale",	"logger",   "ls",	"lscpu",    "mkdir",
	"mktemp",   "module",	"nproc",    "printenv", "printf",   "ps",
	"pwd",	    "readlink", "realpath", "rm",	"rmdir",    "sacct",
	"scontrol", "seq",	"sinfo",    "sleep",	"squeue",   "stat",
	"sync",	    "test",	"touch",    "tput",	"true",	    "tty",
	"uname",    "uptime",	"which",    "whoami",
};

/* Programs that pass data on, and succeed on empty input. */
static const char *const filters[] = {
	"awk",	     "base64", "bgzip",	 "bzip2", "cat",    "column", "comm",
	"cp",	     "cut",    "expand", "fmt",	  "fold",   "gawk",   "gzip",
	"head",	     "join",   "lz4",	 "mawk",  "md5sum", "mv",     "nl",
	"paste",     "pbzip2", "pigz",	 "pv",	  "rev",    "sed",    "sha1sum",
	"sha256sum", "shuf",   "sort",	 "tac",	  "tail",   "tee",    "tr",
	"uniq",	     "wc",     "xz",	 "zstd",
};

bool sw_program_is_helper(const char *program)
{
	return SW_IS_AMONG(program, helpers);
}

bool sw_program_is_filter(const char *program)
{
	return SW_IS_AMONG(program, filters);
}

bool sw_program_has_begun_after(const struct sw_view_program *program,
				uint64_t usec)
{
	return !sw_is_missing(program->last_end_usec) &&
	       !sw_is_missing(program->elapsed_max_usec) &&
	       program->last_end_usec > usec &&
	       program->last_end_usec - usec > program->elapsed_max_usec;
}
