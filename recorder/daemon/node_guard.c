/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The crash guard.  The recorder also works without it. */
#include "recorder/daemon/node_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder/log/node_log.h"

#define MAGIC 0x32475753u	/* "SWG2" */

static struct sw_guard_page *map_page(int dirfd, const char *name)
{
	int fd = openat(dirfd, name,
			O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	struct sw_guard_page *page = MAP_FAILED;
	struct stat status;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	    status.st_uid == geteuid() &&
	    ftruncate(fd, sizeof(*page)) == 0)
		page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, 0);
	close(fd);
	return page == MAP_FAILED ? NULL : page;
}

static struct sw_guard_page *of_handler;

static void note_fault(int signal_number)
{
	of_handler->has_faulted = 1;
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void catch_faults(struct sw_guard_page *page)
{
	static const int faults[] = {
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS,
	};
	struct sigaction action = {
		.sa_handler = note_fault, .sa_flags = SA_NODEFER };
	size_t i;

	of_handler = page;
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigaction(faults[i], &action, NULL);
}

/* This file is created when the unit was stopped after an OOM kill. */
static bool was_noted(int dirfd, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "%s.oom", name);
	return unlinkat(dirfd, path, 0) == 0;
}

/* Return the job that caused the last recorder's crash; 0: none. */
static uint32_t find_culprit(const struct sw_guard_page *page,
			     bool is_out_of_memory)
{
	if (page->has_faulted)
		return page->busy_job;
	if (!is_out_of_memory)
		return 0;
	return page->heaviest_job ? page->heaviest_job : page->busy_job;
}

static void take_crash(struct sw_guard_page *page, bool is_out_of_memory)
{
	uint32_t job = find_culprit(page, is_out_of_memory);

	if (job) {
		sw_node_log("the last recorder %s job %" PRIu32 ", which is no "
			    "longer recorded",
			    page->has_faulted ? "crashed while handling" :
			    "ran out of memory, most of which was held by",
			    job);
		page->skipped[page->skipped_count++ % SW_GUARD_JOBS_MAX] = job;
		page->crashes++;
	}
	page->has_faulted = page->busy_job = page->heaviest_job = 0;
}

int sw_node_guard_open(struct sw_node_guard *guard, int dirfd,
		       const char *name, uint32_t oom_kills,
		       struct sw_error *error)
{
	struct sw_guard_page *page = map_page(dirfd, name);
	bool is_out_of_memory = was_noted(dirfd, name);

	guard->own = (struct sw_guard_page){ .magic = MAGIC };
	guard->page = page ? page : &guard->own;
	if (!page)
		sw_node_log("no crash guard: %s: %s", name, strerror(errno));
	if (guard->page->magic != MAGIC)
		*guard->page = (struct sw_guard_page){ .magic = MAGIC };
	is_out_of_memory |= oom_kills > guard->page->oom_kills;
	guard->page->oom_kills = oom_kills;
	take_crash(guard->page, is_out_of_memory);
	catch_faults(guard->page);
	if (guard->page->crashes < SW_GUARD_CRASHES_MAX)
		return 0;
	return sw_error_set(error, "%d recorders in a row crashed, the last "
			    "one while handling job %" PRIu32 "; remove %s "
			    "beside the socket to try again",
			    SW_GUARD_CRASHES_MAX,
			    guard->page->skipped[(guard->page->skipped_count -
						  1) % SW_GUARD_JOBS_MAX],
			    name);
}

bool sw_node_guard_skips(const struct sw_node_guard *guard, uint32_t job_id)
{
	const struct sw_guard_page *page = guard->page;
	uint32_t i, count = page->skipped_count;

	if (count > SW_GUARD_JOBS_MAX)
		count = SW_GUARD_JOBS_MAX;
	for (i = 0; i < count; i++) {
		if (page->skipped[i] == job_id)
			return true;
	}
	return false;
}

void sw_node_guard_forgive(struct sw_node_guard *guard)
{
	guard->page->crashes = 0;
}
