/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: the loop, before it begins, and libpapi's child.
 *
 * A short-lived child for libraries that may hang.
 */
#include "recorder/sources/pmu/papi_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/kernel/become.h"
#include "recorder/kernel/rights.h"

/* It takes 12 ms; a busy node may need more. */
enum { DEADLINE_MSEC = 5000, LIFE_FD = 3 };

void *sw_papi_child_memory(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* LIFE_FD is closed when the child exits, which signals its end. */
static void leave_descriptors(int life_fd)
{
	int null_fd = open("/dev/null", O_RDWR), i;

	life_fd = fcntl(life_fd, F_DUPFD, LIFE_FD);
	for (i = 0; i < LIFE_FD; i++)
		dup2(null_fd, i);
	dup2(life_fd, LIFE_FD);
	close_range(LIFE_FD + 1, ~0u, 0);
}

static void leave_recorder(pid_t parent, const struct sw_papi_place *place)
{
	sw_become_child(parent);
	sw_become_limit(RLIMIT_CORE, 0);
	sw_become_limit(RLIMIT_CPU, DEADLINE_MSEC / 1000);
	prctl(PR_SET_NAME, "stepwell-papi");
	clearenv();
	if (place->events_file)
		setenv("PAPI_CSV_EVENT_FILE", place->events_file, 1);
	if (place->processor)
		setenv("LIBPFM_FORCE_PMU", place->processor, 1);
	if (geteuid() == 0)
		sw_rights_keep(SW_RIGHTS_NONE);
}

static void await(pid_t pid, int life_fd)
{
	struct pollfd polled = { .fd = life_fd, .events = POLLIN };
	int status;

	while (poll(&polled, 1, DEADLINE_MSEC) < 0 && errno == EINTR)
		;
	if (!polled.revents)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
}

void sw_papi_child_run(void (*work)(void *context), void *context,
		       const struct sw_papi_place *place)
{
	pid_t parent = getpid(), pid;
	int life[2];

	if (pipe2(life, O_CLOEXEC) < 0)
		return;
	pid = fork();
	if (pid == 0) {
		leave_recorder(parent, place);
		leave_descriptors(life[1]);
		work(context);
		_exit(0);
	}
	close(life[1]);
	if (pid > 0)
		await(pid, life[0]);
	close(life[0]);
}
