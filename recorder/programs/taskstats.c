/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's accounts of tasks that end: the socket, and its messages. */
#include "recorder/programs/taskstats.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/acct.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/missing.h"
#include "common/units.h"
#include "recorder/kernel/kernfile.h"
#include "recorder/kernel/process.h"

/* A message takes 1280 bytes of it: room for some 6500. */
#define RECEIVE_BYTES (4 << 20)

enum {
	FIRST_VERSION = 12,	/* has ac_tgid, ac_tgetime and AGROUP */
	ANSWER_MSEC = 1000,
	CPUS_TEXT = 256,
};

/* As NLA_ALIGN() has it, of what is never negative. */
static size_t aligned(size_t length)
{
	return (length + NLA_ALIGNTO - 1) / NLA_ALIGNTO * NLA_ALIGNTO;
}

/* Attributes of netlink, one behind the other. */
struct span {
	const unsigned char *bytes;
	size_t length;
};

/* The first attribute of a type; an empty one where there is none. */
static struct span find(struct span in, uint16_t type)
{
	struct nlattr head;
	size_t step;

	while (in.length >= sizeof(head)) {
		memcpy(&head, in.bytes, sizeof(head));
		if (head.nla_len < sizeof(head) || head.nla_len > in.length)
			break;
		if ((head.nla_type & NLA_TYPE_MASK) == type)
			return (struct span){ in.bytes + sizeof(head),
					      head.nla_len - sizeof(head) };
		step = aligned(head.nla_len);
		if (step > in.length)
			break;
		in.bytes += step;
		in.length -= step;
	}
	return (struct span){ NULL, 0 };
}

/* Behind both headers of a message; false: it is none. */
static bool open_message(struct span in, struct span *attributes,
			 uint8_t *command)
{
	struct genlmsghdr generic;
	struct nlmsghdr head;

	if (in.length < NLMSG_HDRLEN + GENL_HDRLEN)
		return false;
	memcpy(&head, in.bytes, sizeof(head));
	memcpy(&generic, in.bytes + NLMSG_HDRLEN, sizeof(generic));
	if (head.nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN ||
	    head.nlmsg_len > in.length)
		return false;
	*command = head.nlmsg_type < NLMSG_MIN_TYPE ? TASKSTATS_CMD_UNSPEC :
						      generic.cmd;
	attributes->bytes = in.bytes + NLMSG_HDRLEN + GENL_HDRLEN;
	attributes->length = head.nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN;
	return true;
}

static void take_stats(const struct taskstats *stats,
		       struct sw_taskstats_end *end)
{
	memset(end, 0, sizeof(*end));
	end->pid = (pid_t)stats->ac_pid;
	end->process = (pid_t)stats->ac_tgid;
	end->parent = (pid_t)stats->ac_ppid;
	end->is_last = stats->ac_flag & AGROUP;
	end->wait_status = (int)stats->ac_exitcode;
	memcpy(end->comm, stats->ac_comm, sizeof(end->comm) - 1);
	end->elapsed_usec = stats->ac_tgetime;
	end->peak_bytes = stats->hiwater_rss * SW_KIB;
	end->sums = (struct sw_taskstats_sums){
		.cpu_nsec = stats->cpu_run_virtual_total,
		.user_usec = stats->ac_utime,
		.system_usec = stats->ac_stime,
		.run_delay_nsec = stats->cpu_delay_total,
		.rchar = stats->read_char,
		.wchar = stats->write_char,
		.read_bytes = stats->read_bytes,
		.write_bytes = stats->write_bytes,
	};
}

enum sw_taskstats_kind sw_taskstats_parse(const void *bytes, size_t length,
					  struct sw_taskstats_end *end)
{
	/* As far as the fields that are read; newer ones go on behind. */
	const size_t needed = offsetof(struct taskstats, ac_exe_dev);
	struct span attributes, stats;
	struct taskstats taken;
	uint8_t command;

	if (!open_message((struct span){ bytes, length }, &attributes,
			  &command))
		return SW_TASKSTATS_GARBAGE;
	if (command != TASKSTATS_CMD_NEW)
		return SW_TASKSTATS_OTHER;
	attributes = find(attributes, TASKSTATS_TYPE_AGGR_PID);
	if (!attributes.bytes)
		return SW_TASKSTATS_OTHER;
	stats = find(attributes, TASKSTATS_TYPE_STATS);
	if (stats.length < sizeof(taken.version))
		return SW_TASKSTATS_GARBAGE;
	memcpy(&taken.version, stats.bytes, sizeof(taken.version));
	if (taken.version < FIRST_VERSION)
		return SW_TASKSTATS_OLD;
	if (stats.length < needed)
		return SW_TASKSTATS_GARBAGE;
	memset(&taken, 0, sizeof(taken));
	memcpy(&taken, stats.bytes, needed);
	if (!taken.ac_pid || !taken.ac_tgid)
		return SW_TASKSTATS_GARBAGE;
	take_stats(&taken, end);
	return SW_TASKSTATS_END;
}

struct request {
	struct nlmsghdr header;
	struct genlmsghdr generic;
	struct nlattr attribute;
	union {
		char text[CPUS_TEXT];
		uint32_t number;
	} value;
};

/* A message as it came. */
union answer {
	struct nlmsghdr header;
	unsigned char bytes[SW_TASKSTATS_BYTES_MAX];
};

/* Send a request with one attribute of such a length, and await an answer. */
static ssize_t ask(int fd, struct request *request, size_t length,
		   union answer *answer)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };

	request->attribute.nla_len = (uint16_t)(sizeof(request->attribute) +
						length);
	request->header.nlmsg_len = (uint32_t)(
		NLMSG_HDRLEN + GENL_HDRLEN +
		aligned(sizeof(request->attribute) + length));
	if (send(fd, request, request->header.nlmsg_len, 0) < 0)
		return -1;
	if (poll(&polled, 1, ANSWER_MSEC) <= 0) {
		errno = ETIMEDOUT;
		return -1;
	}
	return recv(fd, answer, sizeof(*answer), 0);
}

/* The number that the kernel has for taskstats; 0 with errno. */
static uint16_t find_family(int fd)
{
	struct request request = {
		.header = { .nlmsg_type = GENL_ID_CTRL,
			    .nlmsg_flags = NLM_F_REQUEST },
		.generic = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 },
		.attribute = { .nla_type = CTRL_ATTR_FAMILY_NAME },
		.value.text = TASKSTATS_GENL_NAME,
	};
	union answer answer;
	ssize_t length = ask(fd, &request, sizeof(TASKSTATS_GENL_NAME),
			     &answer);
	struct span attributes, id;
	uint8_t command;
	uint16_t family = 0;

	if (length < 0)
		return 0;
	if (open_message((struct span){ answer.bytes, (size_t)length },
			 &attributes, &command) && command == CTRL_CMD_NEWFAMILY) {
		id = find(attributes, CTRL_ATTR_FAMILY_ID);
		if (id.length >= sizeof(family))
			memcpy(&family, id.bytes, sizeof(family));
	}
	errno = ENOENT;
	return family;
}

/* Do its messages say what is needed?  By one about this process. */
static bool is_new_enough(int fd, uint16_t family)
{
	struct request request = {
		.header = { .nlmsg_type = family,
			    .nlmsg_flags = NLM_F_REQUEST },
		.generic = { .cmd = TASKSTATS_CMD_GET,
			     .version = TASKSTATS_GENL_VERSION },
		.attribute = { .nla_type = TASKSTATS_CMD_ATTR_PID },
		.value.number = (uint32_t)getpid(),
	};
	struct sw_taskstats_end end;
	union answer answer;
	ssize_t length = ask(fd, &request, sizeof(request.value.number),
			     &answer);

	return length > 0 &&
	       sw_taskstats_parse(answer.bytes, (size_t)length, &end) ==
	       SW_TASKSTATS_END && end.process == getpid();
}

/* 0, or the kernel's refusal as errno. */
static int listen_on(int fd, uint16_t family, const char *cpus)
{
	struct request request = {
		.header = { .nlmsg_type = family,
			    .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK },
		.generic = { .cmd = TASKSTATS_CMD_GET,
			     .version = TASKSTATS_GENL_VERSION },
		.attribute = {
			.nla_type = TASKSTATS_CMD_ATTR_REGISTER_CPUMASK },
	};
	struct nlmsgerr refusal;
	union answer answer;
	ssize_t length;

	snprintf(request.value.text, sizeof(request.value.text), "%s", cpus);
	length = ask(fd, &request, strlen(request.value.text) + 1, &answer);
	if (length < 0)
		return -1;
	/* An end may come before the answer, which then is none. */
	if ((size_t)length < NLMSG_HDRLEN + sizeof(refusal) ||
	    answer.header.nlmsg_type != NLMSG_ERROR)
		return 0;
	memcpy(&refusal, answer.bytes + NLMSG_HDRLEN, sizeof(refusal));
	errno = -refusal.error;
	return refusal.error ? -1 : 0;
}

/* "0-127"; what is beyond these is refused. */
static void find_cpus(char *cpus, size_t size)
{
	FILE *file = fopen("/sys/devices/system/cpu/possible", "re");

	if (!file || !fgets(cpus, (int)size, file))
		snprintf(cpus, size, "0");
	if (file)
		fclose(file);
	cpus[strcspn(cpus, "\n")] = '\0';
}

int sw_taskstats_open(struct sw_error *error)
{
	const int room = RECEIVE_BYTES;
	char cpus[CPUS_TEXT];
	uint16_t family;
	int fd;

	if (!sw_process_has_first_pids()) {
		sw_error_set(error, "taskstats: the recorder is in a pid "
			     "namespace, as in a container");
		return -1;
	}
	find_cpus(cpus, sizeof(cpus));
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (fd < 0)
		return sw_error_errno(error, "taskstats");
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room,
		       sizeof(room)) < 0)
		goto error;
	family = find_family(fd);
	if (!family)
		goto error;
	if (!is_new_enough(fd, family)) {
		sw_error_set(error, "taskstats: the kernel does not say of "
			     "which process a thread was (before Linux 5.19)");
		goto close;
	}
	if (listen_on(fd, family, cpus) == 0)
		return fd;
error:
	sw_error_errno(error, "taskstats: the kernel does not report the ends of tasks");
close:
	close(fd);
	return -1;
}

ssize_t sw_taskstats_receive(int fd, void *bytes, size_t size)
{
	ssize_t length = recv(fd, bytes, size, MSG_DONTWAIT);

	return length < 0 && errno != ENOBUFS ? 0 : length;
}

uint64_t sw_taskstats_lost(int fd, int proc_fd)
{
	uint64_t drops, inode, found = SW_MISSING;
	char line[256];
	struct stat status;
	FILE *file;
	int list;

	list = openat(proc_fd, "net/netlink", O_RDONLY | O_CLOEXEC);
	file = list < 0 ? NULL : fdopen(list, "r");
	if (!file || fstat(fd, &status) < 0) {
		if (file)
			fclose(file);
		return SW_MISSING;
	}
	/* sk Eth Pid Groups Rmem Wmem Dump Locks Drops Inode */
	while (sw_is_missing(found) && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64
			   " %" SCNu64, &drops, &inode) == 2 &&
		    inode == status.st_ino)
			found = drops;
	}
	fclose(file);
	return found;
}
