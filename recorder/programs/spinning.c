/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that wait without a pause. */
#include "recorder/programs/spinning.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "common/units.h"
#include "recorder/bpf/spins.h"
#include "recorder/processes/visits.h"
#include "recorder/waits/wait_reason.h"

enum {
	SUSPECTS_MAX = 64,
	SUSPECT_SECONDS = 2,	/* of CPU time without a pause, or progress */
	/* Fewer samples say too little, and so many found nothing else. */
	TICKS_MIN = 400, TICKS_MAX = 6000,
	IN_CALL_MIN = 20,
};

/*
 * So many of its samples are in a call, and of these about the same.  Between
 * two calls of a microsecond a shell interprets for twenty, and nobody
 * computes with one.
 */
static const double IN_CALL = 0.15, IN_CALL_OF_SHELL = 0.03, SAME = 0.9;

/* While it lives what is known is told again when it has grown so. */
static const double GROWN = 1.1;

/* By their place, which is live->suspect less 1. */
static struct sw_spins_watch watches[SUSPECTS_MAX];

static struct sw_spins_watch *watch_of(const struct sw_followed *live)
{
	return live->suspect ? &watches[live->suspect - 1] : NULL;
}

static void begin(struct sw_followed *live, int proc_fd)
{
	unsigned char i = 0;

	while (i < SUSPECTS_MAX && watches[i].pid)
		i++;
	live->is_cleared = true;
	if (i < SUSPECTS_MAX &&
	    sw_spins_begin(&watches[i], proc_fd, live->pid) == 0) {
		live->suspect = i + 1;
		live->is_cleared = false;
	}
}

static void end(struct sw_followed *live)
{
	struct sw_spins_watch *watch = watch_of(live);

	if (watch)
		sw_spins_end(watch);
	live->suspect = 0;
}

static bool is_shell(const char *program)
{
	static const char *const shells[] = { "sh", "bash", "dash", "zsh",
					      "ksh", "mksh", "csh", "tcsh",
					      "busybox" };
	size_t i;

	for (i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (!strcmp(program, shells[i]))
			return true;
	}
	return false;
}

static bool is_found_out(const struct sw_spins_seen *seen,
			 const struct sw_program *program)
{
	double least = is_shell(program->name) ? IN_CALL_OF_SHELL : IN_CALL;

	return seen->ticks >= TICKS_MIN && seen->same >= IN_CALL_MIN &&
	       (double)seen->in_call >= least * (double)seen->ticks &&
	       (double)seen->same >= SAME * (double)seen->in_call &&
	       sw_wait_call_name(seen->call);
}

/* The file that a descriptor is open for; "" where it is none, or unknown. */
static void find_file(const struct sw_spins_seen *seen, pid_t pid,
		      int proc_fd, char *path, size_t size)
{
	path[0] = '\0';
	if (seen->call == SYS_read && proc_fd >= 0 &&
	    (!sw_visit_path(proc_fd, pid, (int)seen->number, path, size) ||
	     path[0] != '/'))
		path[0] = '\0';
}

/* The longest of one process is the program's. */
static void tell(struct sw_program *program, const struct sw_spins_seen *seen,
		 pid_t pid, int proc_fd, double grown)
{
	struct sw_spin *spin = &program->spin;
	uint64_t usec = seen->ticks * (SW_SPINS_NSEC / SW_NSEC_PER_USEC);
	char path[SW_VISIT_PATH_SIZE];

	if ((double)usec < grown * (double)sw_zero_if_missing(spin->usec))
		return;
	snprintf(path, sizeof(path), "%s", seen->path);
	if (!path[0])
		find_file(seen, pid, proc_fd, path, sizeof(path));
	/* Of who has ended the file is not known any more. */
	if (path[0] || spin->call != sw_wait_call_name(seen->call))
		snprintf(spin->object, sizeof(spin->object), "%s", path);
	spin->usec = usec;
	spin->call_usec = seen->same * (SW_SPINS_NSEC / SW_NSEC_PER_USEC);
	spin->call = sw_wait_call_name(seen->call);
	program->is_changed = true;
}

void sw_spinning_look(struct sw_followed *live, struct sw_program *program,
		      int proc_fd)
{
	struct sw_spins_watch *watch = watch_of(live);
	struct sw_spins_seen seen;

	/* Ranks of MPI poll for each other, and are looked at for that. */
	if (!sw_spins_is_open() || live->polls_fd)
		return;
	if (!live->busy_nsec) {
		end(live);
		live->is_cleared = false;
	} else if (!watch && !live->is_cleared &&
		   live->busy_nsec >= SUSPECT_SECONDS * SW_USEC_PER_SEC *
					 SW_NSEC_PER_USEC) {
		begin(live, proc_fd);
	} else if (watch && sw_spins_read(watch, &seen) == 0) {
		if (is_found_out(&seen, program)) {
			tell(program, &seen, live->pid, proc_fd, GROWN);
		} else if (seen.ticks >= TICKS_MAX) {
			end(live);
			live->is_cleared = true;
		}
	}
}

void sw_spinning_end(struct sw_followed *live, struct sw_program *program)
{
	struct sw_spins_watch *watch = watch_of(live);
	struct sw_spins_seen seen;

	if (watch && program && sw_spins_read(watch, &seen) == 0 &&
	    is_found_out(&seen, program))
		tell(program, &seen, live->pid, -1, 1);
	end(live);
}
