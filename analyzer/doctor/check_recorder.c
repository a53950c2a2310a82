/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check that the node's recorder responds, with a request over its socket as
 * the plugin makes it.  Times out after ANSWER_MSEC.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "analyzer/doctor/doctor.h"
#include "analyzer/doctor/plugstack.h"

enum { ANSWER_MSEC = 2000, SYSTEMD_PID = 1 };

/* Created by "systemctl enable". */
#define ENABLED_SOCKET \
	"/etc/systemd/system/sockets.target.wants/stepwell-recorder.socket"

/*
 * Header of every message of common/protocol.h; this program uses nothing else
 * of it.  The test of this check compares the two.
 */
struct message {
	uint32_t magic;
	uint16_t version;
	uint16_t type;
	uint32_t length;
	uint32_t status;
};

#define MESSAGE_MAGIC 0x4c4c5753u
enum { MESSAGE_VERSION = 1, MESSAGE_PING = 4, MESSAGE_ANSWER = 5 };

enum reply {
	REPLY_ALIVE,
	REPLY_NO_SOCKET,
	REPLY_NOT_ALLOWED,
	REPLY_NOBODY,		/* stale socket */
	REPLY_STRANGER,		/* not root's */
	REPLY_SILENT,
	REPLY_HUNG_UP,
	REPLY_OTHER,		/* no recorder, or another version */
};

static enum reply talk(int fd)
{
	struct message message = {
		.magic = MESSAGE_MAGIC, .version = MESSAGE_VERSION,
		.type = MESSAGE_PING, .length = sizeof(message),
	};
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	ssize_t got;

	if (send(fd, &message, sizeof(message), MSG_NOSIGNAL) < 0)
		return errno == EAGAIN ? REPLY_SILENT : REPLY_HUNG_UP;
	if (poll(&poll_fd, 1, ANSWER_MSEC) <= 0)
		return REPLY_SILENT;
	got = recv(fd, &message, sizeof(message), MSG_DONTWAIT);
	if (got <= 0)
		return REPLY_HUNG_UP;
	return got == (ssize_t)sizeof(message) &&
	       message.magic == MESSAGE_MAGIC &&
	       message.version == MESSAGE_VERSION &&
	       message.type == MESSAGE_ANSWER ? REPLY_ALIVE : REPLY_OTHER;
}

/* *listener: pid of the listening process. */
static bool is_owner(const struct sw_doctor *doctor, int fd, pid_t *listener)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return false;
	*listener = peer.pid;
	return peer.uid == doctor->owner;
}

static enum reply reply_of(int error)
{
	switch (error) {
	case ENOENT:
		return REPLY_NO_SOCKET;
	case EACCES:
	case EPERM:
		return REPLY_NOT_ALLOWED;
	case EAGAIN:
		return REPLY_SILENT;
	case ECONNREFUSED:
		return REPLY_NOBODY;
	default:
		return REPLY_OTHER;
	}
}

/* Connect through an open file, whose name always fits into sun_path. */
static enum reply ask_file(const struct sw_doctor *doctor, int file,
			   pid_t *listener)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
			0);
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	enum reply reply;

	if (fd < 0)
		return REPLY_OTHER;
	snprintf(address.sun_path, sizeof(address.sun_path),
		 "/proc/self/fd/%d", file);
	if (connect(fd, (const struct sockaddr *)&address,
		    sizeof(address)) < 0)
		reply = reply_of(errno);
	else if (!is_owner(doctor, fd, listener))
		reply = REPLY_STRANGER;
	else
		reply = talk(fd);
	close(fd);
	return reply;
}

static enum reply ask(const struct sw_doctor *doctor, const char *path,
		      pid_t *listener)
{
	int file = sw_doctor_open(doctor, path, O_PATH | O_NOFOLLOW);
	enum reply reply;

	if (file < 0)
		return reply_of(errno);
	reply = ask_file(doctor, file, listener);
	close(file);
	return reply;
}

/*
 * Without units, slurmd starts a recorder if none responds.  A hanging one must
 * be killed first; recorders of "stepwell run" are left alone.
 */
static void fix_recorder(const struct sw_doctor *doctor,
			 struct sw_answer *answer, enum reply reply)
{
	bool has_units = sw_recorder_has_units(doctor);

	/* A unit that failed too often is not started any more. */
	if (has_units && reply == REPLY_NO_SOCKET)
		sw_answer_fix(answer, "systemctl reset-failed "
			      "'stepwell-recorder.*'; systemctl enable --now "
			      "stepwell-recorder.socket");
	else if (has_units)
		sw_answer_fix(answer, "systemctl restart "
			      "stepwell-recorder.service");
	else if (reply == REPLY_NO_SOCKET || reply == REPLY_NOBODY)
		sw_answer_fix(answer, "systemctl restart slurmd");
	else
		sw_answer_fix(answer, "pkill -KILL -xf '" PKGLIBEXECDIR
			      "/stepwell-recorder --node --detach'; "
			      "systemctl restart slurmd");
}

static void say_missing(struct sw_answer *answer, const char *path)
{
	sw_answer_fail(answer, "the recorder is not installed",
		       "%s does not exist, so no recorder can start and no "
		       "step is recorded; install the package", path);
	sw_answer_fix(answer, "apt-get install stepwell || dnf install "
		      "stepwell");
}

static void say_wrong(const struct sw_doctor *doctor, struct sw_answer *answer,
		      enum reply reply, const char *path)
{
	if (reply == REPLY_NO_SOCKET)
		sw_answer_fail(answer, "not started",
			       "%s does not exist: the recorder was not "
			       "started, so no step is recorded", path);
	else if (reply == REPLY_NOBODY)
		sw_answer_fail(answer, "not running",
			       "nothing listens at %s: the recorder has ended, "
			       "so no step is recorded", path);
	else if (reply == REPLY_SILENT)
		sw_answer_fail(answer, "does not answer",
			       "the recorder at %s did not answer within %d "
			       "ms: it is stopped or stuck", path, ANSWER_MSEC);
	else if (reply == REPLY_HUNG_UP)
		sw_answer_fail(answer, "hung up",
			       "the process listening at %s hung up without an "
			       "answer: the recorder was being ended, or ends "
			       "as soon as it starts; see journalctl -u "
			       "stepwell-recorder",
			       path);
	else if (reply == REPLY_STRANGER)
		sw_answer_fail(answer, "not root",
			       "the process listening at %s is not root, so "
			       "the plugin does not talk to it; find out which "
			       "process it is", path);
	else
		sw_answer_fail(answer, "another version",
			       "the process answering at %s is not a recorder "
			       "of this version; restart it after an upgrade",
			       path);
	fix_recorder(doctor, answer, reply);
}

/* Number of automatic restarts of the unit; "" or "0" for none. */
static void read_restarts(const struct sw_doctor *doctor, char *line,
			  size_t size)
{
	static const char *const show[] = {
		"systemctl", "show", "--property=NRestarts",
		"stepwell-recorder.service", NULL,
	};
	static const char name[] = "NRestarts=";

	if (!doctor->probes.run || doctor->probes.run(show, line, size) < 0 ||
	    strncmp(line, name, strlen(name)) != 0)
		line[0] = '\0';
	else
		memmove(line, line + strlen(name),
			strlen(line + strlen(name)) + 1);
}

/* A recorder responded: check that it is the unit's if that is enabled. */
static void judge_alive(const struct sw_doctor *doctor,
			struct sw_answer *answer, const char *path,
			pid_t listener)
{
	char restarts[64];

	read_restarts(doctor, restarts, sizeof(restarts));
	if (listener != SYSTEMD_PID && sw_recorder_has_units(doctor) &&
	    sw_doctor_has(doctor, ENABLED_SOCKET)) {
		sw_answer_warn(answer, "not the unit's",
			       "the recorder at %s was started by slurmd, "
			       "although stepwell-recorder.socket is enabled: "
			       "the unit has failed or is not running; see "
			       "systemctl status 'stepwell-recorder.*'", path);
		sw_answer_fix(answer, "systemctl reset-failed "
			      "'stepwell-recorder.*'; systemctl restart "
			      "stepwell-recorder.socket");
	} else if (restarts[0] && strcmp(restarts, "0") != 0) {
		sw_answer_warn(answer, "restarted",
			       "answers at %s, but systemd had to restart "
			       "stepwell-recorder.service %s times; see "
			       "journalctl -u stepwell-recorder", path,
			       restarts);
	} else {
		sw_answer_ok(answer, "answers at %s", path);
	}
}

void sw_check_recorder(const struct sw_doctor *doctor,
		       struct sw_answer *answer)
{
	struct sw_plugstack stack;
	pid_t listener = 0;
	enum reply reply;

	sw_plugstack_read(&stack, doctor);
	/* A request would make systemd start what was switched off. */
	if (sw_doctor_has(doctor, SW_DOCTOR_OFF) || stack.is_off) {
		sw_answer_skip(answer, "switched off",
			       "recording is switched off, so no recorder is "
			       "needed");
		return;
	}
	reply = ask(doctor, stack.socket, &listener);
	if (reply == REPLY_ALIVE)
		judge_alive(doctor, answer, stack.socket, listener);
	else if (reply == REPLY_NOT_ALLOWED)
		sw_answer_skip(answer, "needs root",
			       "only root can ask the recorder at %s",
			       stack.socket);
	else if (reply == REPLY_NO_SOCKET && !sw_slurm_has_daemon(doctor))
		sw_answer_skip(answer, "no slurmd here",
			       "no slurmd here, so no recorder is needed");
	else if ((reply == REPLY_NO_SOCKET || reply == REPLY_NOBODY ||
		  reply == REPLY_HUNG_UP) &&
		 !sw_doctor_has(doctor, stack.recorder))
		say_missing(answer, stack.recorder);
	else
		say_wrong(doctor, answer, reply, stack.socket);
}
