/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the probable cause of a process's failure in its last failed calls. */
#include "recorder/programs/cause.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "common/path.h"
#include "common/units.h"

enum {
	/* A process that runs longer after a failure has coped with it. */
	SECONDS_TO_END = 5,
	NOT_EXECUTABLE = 126,	/* lowest status of this kind in shells */
	NOT_FOUND = 127,	/* also used by the dynamic loader */
	DISPLAY_PORT = 6000,	/* X display :0 */
	DISPLAYS = 10,		/* ssh uses higher numbers */
};

static const uint64_t nsec_to_end = SECONDS_TO_END * 1000000000ull;

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
	size_t length = strlen(text), size = strlen(with);

	return length >= size && strcmp(text + length - size, with) == 0;
}

/* Return whether libraries and interpreters try this path by themselves. */
static bool is_never_a_cause(const char *path)
{
	static const char *const below[] = {
		"/proc/", "/sys/", "/etc/ld.so", "/dev/tty",
	};
	static const char *const in[] = {
		"/locale/", "/gconv", "/glibc-hwcaps/", "/__pycache__/",
		"/libnss_",
	};
	static const char *const name[] = {
		".mo", ".pyc", "/pyvenv.cfg", "/pybuilddir.txt", "._pth",
	};
	size_t i;

	/*
	 * Pseudo file names of interpreters, as in Python's traceback:
	 * "<string>"
	 */
	if (sw_path_name(path)[0] == '<' && ends(path, ">"))
		return true;
	for (i = 0; i < sizeof(below) / sizeof(below[0]); i++)
		if (begins(path, below[i]))
			return true;
	for (i = 0; i < sizeof(in) / sizeof(in[0]); i++)
		if (strstr(path, in[i]))
			return true;
	for (i = 0; i < sizeof(name) / sizeof(name[0]); i++)
		if (ends(path, name[i]))
			return true;
	return false;
}

/*
 * Return whether it is a local X server: libraries try to connect by
 * themselves, as hwloc does in mpirun.
 */
static bool is_display(const struct sw_failure *failure)
{
	static const char v6[sizeof(struct in6_addr)] = { [15] = 1 };

	return failure->number >= DISPLAY_PORT &&
	       failure->number < DISPLAY_PORT + DISPLAYS &&
	       (failure->family == AF_INET6
			? !memcmp(failure->text, v6, sizeof(v6))
			: failure->text[0] == IN_LOOPBACKNET);
}

/* Matches ".toolrc" and "/home/u/.config/x", but not "../x". */
static bool is_hidden(const char *path)
{
	const char *part = path;

	while (part) {
		if (part[0] == '.' && !strchr("./", part[1]))
			return true;
		part = strchr(part, '/');
		part = part ? part + 1 : NULL;
	}
	return false;
}

/* Return whether the file is optional, like settings of a user or the site. */
static bool is_optional(const char *path)
{
	return begins(path, "/etc/") || is_hidden(path);
}

/* Return true for a settings file, which may be optional or required. */
static bool is_settings(const char *path)
{
	static const char *const name[] = {
		".conf", ".cfg", ".config", ".ini", ".toml", ".yaml", ".yml",
		".json", ".properties", ".xml", "rc", ".lock", ".pid",
	};
	size_t i;

	for (i = 0; i < sizeof(name) / sizeof(name[0]); i++)
		if (ends(path, name[i]))
			return true;
	return false;
}

static bool is_library(const char *path)
{
	return ends(path, ".so") || strstr(sw_path_name(path), ".so.");
}

/* Return true for code, settings and the like, not data; true for "". */
static bool is_of_system(const char *path)
{
	static const char *const below[] = { "etc/", "usr/", "lib/", "lib64/" };
	size_t i;

	for (i = 0; i < sizeof(below) / sizeof(below[0]); i++)
		if (begins(path, below[i]))
			return true;
	return !*path || is_never_a_cause(path) || is_library(path) ||
	       is_hidden(path) || strstr(path, "/site-packages/") ||
	       strstr(path, "/dist-packages/") || ends(path, ".py") ||
	       ends(path, ".pl") || ends(path, ".pm") || ends(path, ".R");
}

/* Append a component; mark it if truncated. */
static void add_part(struct sw_cause_path *path, const char *part, size_t size)
{
	size_t length = strlen(path->text);

	snprintf(path->text + length, SW_CAUSE_BELOW_SIZE - length, "%s%s%s",
		 length ? "/" : "", part,
		 strlen(part) == size - 1 ? "..." : "");
}

/* Format as "results/out.bam" below a mount point, or ".../results/out.bam". */
static void put_names(struct sw_cause_path *path,
		      const struct sw_file_names *file)
{
	size_t i, folders = 0;

	path->device = file->device;
	path->text[0] = '\0';
	if (!file->device)
		return;
	while (folders < SW_FOLDERS && strcmp(file->folder[folders], "/") != 0)
		folders++;
	if (folders == SW_FOLDERS)
		add_part(path, "...", 0);
	for (i = folders; i-- > 0;)
		add_part(path, file->folder[i], SW_FOLDER_SIZE);
	add_part(path, file->name, SW_NAME_SIZE);
}

/* Get the path read i files before the last one. */
static void put_read(struct sw_cause_path *path,
		     const struct sw_failures *failures, unsigned i)
{
	unsigned next = failures->next_read % SW_READS_KEPT;

	put_names(path, &failures->read[(next + 2 * SW_READS_KEPT - 1 - i) %
					SW_READS_KEPT].file);
}

/* Return whether it has opened no data file since then. */
static bool has_stopped(const struct sw_failures *failures,
			const struct sw_failure *failure)
{
	unsigned i, opened = failures->opened - failure->opened;
	struct sw_cause_path path;

	if (opened > SW_READS_KEPT)
		return false;
	for (i = 0; i < opened; i++) {
		put_read(&path, failures, i);
		if (!is_of_system(path.text))
			return false;
	}
	return true;
}

static bool is_crash(int signal)
{
	return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT ||
	       signal == SIGFPE || signal == SIGILL;
}

static bool is_lack_of_space(int error)
{
	return error == ENOSPC || error == EDQUOT;
}

static bool is_not_found(int wait_status)
{
	return WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == NOT_FOUND;
}

static bool is_likely(const struct sw_failures *failures,
		      const struct sw_failure *failure, int wait_status)
{
	switch (failure->kind) {
	case SW_FAILURE_OPEN:
		/* The loader found it elsewhere: it went on. */
		if (is_library(failure->text) && !is_not_found(wait_status))
			return false;
		return has_stopped(failures, failure) &&
		       (failure->error != ENOENT ||
			(!is_optional(failure->text) &&
			 !is_settings(failure->text)));
	case SW_FAILURE_ACCESS:
	case SW_FAILURE_CONNECT:
		return has_stopped(failures, failure);
	case SW_FAILURE_SCRIPT:
		/* A shell runs the file as a script instead. */
		return WIFEXITED(wait_status) &&
		       WEXITSTATUS(wait_status) >= NOT_EXECUTABLE;
	case SW_FAILURE_WRITE:
		return is_lack_of_space(failure->error) ||
		       failure->error == EIO || failure->error == EFBIG ||
		       failure->error == EROFS;
	default:
		return true;
	}
}

/* Return whether the failure is worth reporting. */
static bool is_of_note(const struct sw_failure *failure, uint64_t end_nsec)
{
	bool is_path = failure->kind == SW_FAILURE_OPEN ||
		       failure->kind == SW_FAILURE_ACCESS;

	if (failure->kind == SW_FAILURE_NONE)
		return false;
	if (is_path && is_never_a_cause(failure->text))
		return false;
	if (is_path && failure->error == ENOENT && is_optional(failure->text))
		return false;
	if (failure->kind == SW_FAILURE_CONNECT && is_display(failure))
		return false;
	if (failure->kind == SW_FAILURE_WRITE &&
	    is_lack_of_space(failure->error))
		return true;
	return failure->time_nsec + nsec_to_end >= end_nsec;
}

/* Choose the last failure, preferring likely causes. */
static const struct sw_failure *choose(const struct sw_failures *failures,
				       int wait_status, uint64_t end_nsec)
{
	const struct sw_failure *chosen = NULL;
	bool is_chosen_likely = false;
	size_t i;

	for (i = 0; i < SW_FAILURES_KEPT; i++) {
		const struct sw_failure *failure = &failures->failure[i];
		bool likely;

		if (!is_of_note(failure, end_nsec))
			continue;
		likely = is_likely(failures, failure, wait_status);
		if (!chosen || likely > is_chosen_likely ||
		    (likely == is_chosen_likely &&
		     failure->time_nsec > chosen->time_nsec)) {
			chosen = failure;
			is_chosen_likely = likely;
		}
	}
	return chosen;
}

/* Find the script's interpreter, if that could not be opened. */
static const struct sw_failure *
find_interpreter(const struct sw_failures *failures,
		 const struct sw_failure *script)
{
	size_t i;

	for (i = 0; i < SW_FAILURES_KEPT; i++) {
		const struct sw_failure *failure = &failures->failure[i];

		if (failure->kind == SW_FAILURE_EXEC &&
		    failure->error == script->error &&
		    failure->time_nsec <= script->time_nsec &&
		    strcmp(failure->text, script->text) != 0)
			return failure;
	}
	return NULL;
}

static bool has_script(const struct sw_failures *failures,
		       const struct sw_failure *interpreter)
{
	size_t i;

	for (i = 0; i < SW_FAILURES_KEPT; i++) {
		const struct sw_failure *failure = &failures->failure[i];

		if (failure->kind == SW_FAILURE_SCRIPT &&
		    find_interpreter(failures, failure) == interpreter)
			return true;
	}
	return false;
}

/* If several directories were searched, return only the file name. */
static const char *sought(const struct sw_failure *failure)
{
	/* Before 6.9 a missing program is recorded as both kinds. */
	bool is_sought = failure->kind == SW_FAILURE_EXEC ||
			 failure->kind == SW_FAILURE_SCRIPT ||
			 is_library(failure->text);

	return is_sought && failure->times > 1 && failure->error == ENOENT
		       ? sw_path_name(failure->text)
		       : failure->text;
}

/* Mark a path whose beginning was cut off. */
static void put_path(struct sw_cause_path *path, const char *text)
{
	bool is_cut = strlen(text) == SW_FAILURE_TEXT_SIZE - 1;

	snprintf(path->text, sizeof(path->text), "%s%s", is_cut ? "..." : "",
		 text);
}

static void put_peer(struct sw_cause_path *path,
		     const struct sw_failure *failure)
{
	char address[INET6_ADDRSTRLEN] = "?";
	bool is_long = failure->family == AF_INET6;

	inet_ntop((int)failure->family, failure->text, address,
		  sizeof(address));
	snprintf(path->text, sizeof(path->text), "%s%s%s:%llu", is_long ? "[" : "",
		 address, is_long ? "]" : "", failure->number);
}

static void describe(struct sw_cause *cause, const struct sw_failures *failures,
		     const struct sw_failure *failure)
{
	static const char *const calls[] = {
		[SW_FAILURE_OPEN] = "open",	  [SW_FAILURE_ACCESS] = "access",
		[SW_FAILURE_EXEC] = "execute",
		[SW_FAILURE_SCRIPT] = "execute",  [SW_FAILURE_WRITE] = "write",
		[SW_FAILURE_MEMORY] = "memory",	  [SW_FAILURE_FORK] = "fork",
		[SW_FAILURE_CONNECT] = "connect",
	};
	const struct sw_failure *other = NULL;

	cause->call = calls[failure->kind];
	cause->error = strerrorname_np(failure->error);
	if (failure->kind == SW_FAILURE_SCRIPT)
		other = find_interpreter(failures, failure);
	if (other ||
	    (failure->kind == SW_FAILURE_EXEC && has_script(failures, failure)))
		cause->call = "interpret";
	failure = other ? other : failure;
	if (failure->kind == SW_FAILURE_WRITE) {
		put_names(&cause->object, &failure->file);
	} else if (failure->kind == SW_FAILURE_MEMORY) {
		snprintf(cause->object.text, sizeof(cause->object.text), "%llu",
			 failure->number);
	} else if (failure->kind == SW_FAILURE_CONNECT) {
		put_peer(&cause->object, failure);
	} else if (failure->kind != SW_FAILURE_FORK) {
		put_path(&cause->object, sought(failure));
	}
}

static void end_names(struct sw_file_names *file)
{
	size_t i;

	file->name[SW_NAME_SIZE - 1] = '\0';
	for (i = 0; i < SW_FOLDERS; i++)
		file->folder[i][SW_FOLDER_SIZE - 1] = '\0';
}

/* Terminate the strings: two threads may have written concurrently. */
static void end_texts(struct sw_failures *failures)
{
	size_t i;

	for (i = 0; i < SW_FAILURES_KEPT; i++) {
		struct sw_failure *failure = &failures->failure[i];

		if (failure->kind == SW_FAILURE_WRITE)
			end_names(&failure->file);
		else
			failure->text[SW_FAILURE_TEXT_SIZE - 1] = '\0';
	}
	for (i = 0; i < SW_READS_KEPT; i++)
		end_names(&failures->read[i].file);
}

static void find_read(struct sw_cause *cause,
		      const struct sw_failures *failures)
{
	unsigned i;

	for (i = 0; i < SW_READS_KEPT; i++) {
		put_read(&cause->read, failures, i);
		if (!is_of_system(cause->read.text))
			return;
	}
	cause->read.text[0] = '\0';
}

void sw_cause_find(struct sw_cause *cause, const struct sw_failures *failures,
		   int wait_status, uint64_t end_nsec)
{
	struct sw_failures ended = *failures;
	const struct sw_failure *failure;

	*cause = (struct sw_cause){ .end_usec = end_nsec / SW_NSEC_PER_USEC };
	/* It succeeded, or was killed by another process. */
	if (wait_status == 0 ||
	    (WIFSIGNALED(wait_status) && !is_crash(WTERMSIG(wait_status))))
		return;
	end_texts(&ended);
	failure = choose(&ended, wait_status, end_nsec);
	if (failure) {
		cause->is_likely = is_likely(&ended, failure, wait_status);
		describe(cause, &ended, failure);
	}
	find_read(cause, &ended);
}
