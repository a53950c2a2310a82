/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find processes in a busy loop, and processes working on many files. */
#include "recorder/programs/spinning.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "common/text.h"
#include "common/units.h"
#include "recorder/bpf/spins.h"
#include "recorder/processes/visits.h"
#include "recorder/waits/wait_reason.h"

enum {
	SUSPECTS_MAX = 64,
	/* CPU time without pause or progress, or mostly in the kernel. */
	SUSPECT_SECONDS = 2,
	/* Fewer is not representative; at the maximum, drop the suspicion. */
	TICKS_MIN = 400, TICKS_MAX = 6000,
	IN_CALL_MIN = 20,
};

/*
 * Minimum part of samples in a call, and part of these with the same request.
 * Between two calls of a microsecond, a shell interprets for twenty, and shells
 * are not used for computing.
 */
static const double IN_CALL = 0.15, IN_CALL_OF_SHELL = 0.03, SAME = 0.9;

/* Growth after which the result of a running process is updated */
static const double GROWN = 1.1;

/* By index, which is live->suspect - 1 */
static struct suspect {
	struct sw_spins_watch watch;
	enum sw_suspicion suspicion;
	uint64_t ticks, metadata;	/* already added to the program */
} suspects[SUSPECTS_MAX];

static struct suspect *suspect_of(const struct sw_followed *live)
{
	return live->suspect ? &suspects[live->suspect - 1] : NULL;
}

static void clear(struct sw_followed *live, enum sw_suspicion suspicion)
{
	live->cleared_of |= suspicion;
}

static void end(struct sw_followed *live)
{
	struct suspect *suspect = suspect_of(live);

	if (suspect)
		sw_spins_end(&suspect->watch);
	live->suspect = 0;
}

static void begin(struct sw_followed *live, enum sw_suspicion suspicion,
		  int proc_fd)
{
	unsigned char i = 0;

	while (i < SUSPECTS_MAX && suspects[i].watch.pid)
		i++;
	if (i == SUSPECTS_MAX ||
	    sw_spins_begin(&suspects[i].watch, proc_fd, live->pid) < 0) {
		clear(live, suspicion);
		return;
	}
	suspects[i].suspicion = suspicion;
	suspects[i].ticks = suspects[i].metadata = 0;
	live->suspect = i + 1;
}

/* Return what to watch it for; busy waiting takes precedence. */
static enum sw_suspicion suspicion_of(const struct sw_followed *live)
{
	const uint64_t least_nsec =
		SUSPECT_SECONDS * SW_USEC_PER_SEC * SW_NSEC_PER_USEC;

	if (live->busy_nsec >= least_nsec &&
	    !(live->cleared_of & SW_SUSPECT_SPINS))
		return SW_SUSPECT_SPINS;
	if (live->in_kernel_nsec >= least_nsec &&
	    !(live->cleared_of & SW_SUSPECT_FILES))
		return SW_SUSPECT_FILES;
	return SW_SUSPECT_NOTHING;
}

/* Add new samples to the program. */
static void add_samples(struct suspect *suspect,
			const struct sw_spins_seen *seen,
			struct sw_program *program)
{
	const uint64_t tick_usec = SW_SPINS_NSEC / SW_NSEC_PER_USEC;

	if (seen->ticks == suspect->ticks)
		return;
	/* Its program may be new, and then had no samples yet. */
	program->sampled_usec =
		sw_sum_u64(program->sampled_usec,
			   (seen->ticks - suspect->ticks) * tick_usec);
	program->metadata_usec +=
		(seen->metadata - suspect->metadata) * tick_usec;
	suspect->ticks = seen->ticks;
	suspect->metadata = seen->metadata;
	program->is_changed = true;
}

static bool is_shell(const char *program)
{
	static const char *const shells[] = { "sh", "bash", "dash", "zsh",
					      "ksh", "mksh", "csh", "tcsh",
					      "busybox" };

	return SW_IS_AMONG(program, shells);
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

/* Get the path of the descriptor in the request; "" if none or unknown. */
static void find_file(const struct sw_spins_seen *seen, pid_t pid,
		      int proc_fd, char *path, size_t size)
{
	path[0] = '\0';
	if (seen->call == SYS_read && proc_fd >= 0 &&
	    (!sw_visit_path(proc_fd, pid, (int)seen->number, path, size) ||
	     path[0] != '/'))
		path[0] = '\0';
}

/* The program gets the longest time of any process. */
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
	/* After exit, the file is unknown: keep the earlier one. */
	if (path[0] || spin->call != sw_wait_call_name(seen->call))
		snprintf(spin->object, sizeof(spin->object), "%s", path);
	spin->usec = usec;
	spin->call_usec = seen->same * (SW_SPINS_NSEC / SW_NSEC_PER_USEC);
	spin->call = sw_wait_call_name(seen->call);
	program->is_changed = true;
}

/* Process the samples so far; grown: required growth. */
static void read_suspect(struct sw_followed *live, struct sw_program *program,
			 int proc_fd, double grown)
{
	struct suspect *suspect = suspect_of(live);
	bool spins = suspect->suspicion == SW_SUSPECT_SPINS;
	struct sw_spins_seen seen;

	if (sw_spins_read(&suspect->watch, &seen) < 0)
		return;
	add_samples(suspect, &seen, program);
	if (spins && is_found_out(&seen, program))
		tell(program, &seen, live->pid, proc_fd, grown);
	else if (seen.ticks >= TICKS_MAX)
		clear(live, suspect->suspicion);
}

void sw_spinning_look(struct sw_followed *live, struct sw_program *program,
		      int proc_fd)
{
	enum sw_suspicion suspicion;

	/* MPI ranks poll for messages, and are watched for that. */
	if (!sw_spins_is_open() || live->polls_fd)
		return;
	if (!live->busy_nsec)
		live->cleared_of &= ~(unsigned)SW_SUSPECT_SPINS;
	if (live->suspect)
		read_suspect(live, program, proc_fd, GROWN);
	suspicion = suspicion_of(live);
	if (live->suspect && suspect_of(live)->suspicion != suspicion)
		end(live);
	if (!live->suspect && suspicion != SW_SUSPECT_NOTHING)
		begin(live, suspicion, proc_fd);
}

void sw_spinning_end(struct sw_followed *live, struct sw_program *program)
{
	if (live->suspect && program)
		read_suspect(live, program, -1, 1);
	end(live);
}
