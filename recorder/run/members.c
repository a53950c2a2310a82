/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of the job outside the process tree. */
#include "recorder/run/members.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "recorder/run/attach.h"

enum { READ_SIZE = 1024 };

void sw_run_members_open(struct sw_run_members *members)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), flags;

	members->length = 0;
	members->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	flags = fcntl(members->fd, F_GETFL);
	if (flags >= 0)
		fcntl(members->fd, F_SETFL, flags | O_NONBLOCK);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		close(null);
	}
}

static void close_members(struct sw_run_members *members)
{
	if (members->fd >= 0)
		close(members->fd);
	members->fd = -1;
}

/* Skip invalid lines. */
static bool take_char(struct sw_run_members *members, char c,
		      struct sw_attach *member)
{
	bool is_whole = c == '\n' && members->length < SW_RUN_MEMBER_LINE_MAX;

	if (c != '\n') {
		if (members->length < SW_RUN_MEMBER_LINE_MAX)
			members->line[members->length] = c;
		members->length += members->length < SW_RUN_MEMBER_LINE_MAX;
		return false;
	}
	if (is_whole)
		members->line[members->length] = '\0';
	members->length = 0;
	return is_whole && sw_attach_parse(member, members->line) == 0;
}

bool sw_run_members_read(struct sw_run_members *members,
			 void (*take)(void *context, pid_t pid,
				      uint64_t start_ticks),
			 void *context)
{
	char text[READ_SIZE];
	struct sw_attach member;
	ssize_t length, i;

	while (members->fd >= 0) {
		length = read(members->fd, text, sizeof(text));
		if (length < 0 && (errno == EAGAIN || errno == EINTR))
			return true;
		if (length <= 0)
			close_members(members);
		for (i = 0; i < length; i++) {
			if (take_char(members, text[i], &member))
				take(context, member.pid, member.start_ticks);
		}
	}
	return false;
}
