/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a program failed, in words. */
#include "analyzer/rules/cause_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/rules/finding.h"
#include "analyzer/rules/rule_program.h"
#include "common/exit_status.h"
#include "common/missing.h"
#include "common/units.h"

/* errno in a few words; an error that is not listed is printed by its name.
 * Nobody asks a program a question that is answered by a lack. */
static const struct error {
	const char *error, *words;
	bool is_lack;
} errors[] = {
	{ "ENOENT", "no such file", false },
	{ "EACCES", "permission denied", false },
	{ "EPERM", "not permitted", false },
	{ "ENOTDIR", "no such folder", false },
	{ "EISDIR", "it is a folder", false },
	{ "ELOOP", "its symbolic links go in a circle", false },
	{ "ENAMETOOLONG", "the name is too long", false },
	{ "ENOSPC", "no space left", true },
	{ "EDQUOT", "quota exceeded", true },
	{ "EFBIG", "the file is too large", true },
	{ "EROFS", "the file system is read-only", true },
	{ "EIO", "input/output error", true },
	{ "ESTALE", "the file is no longer on the server", true },
	{ "ENFILE", "too many open files on the node", true },
	{ "ETXTBSY", "it is being executed", false },
	{ "ENOEXEC", "not a program for this machine", false },
	{ "EAGAIN", "the limit of processes is reached", true },
	{ "ENOMEM", "not enough memory", true },
	{ "ECONNREFUSED", "connection refused", false },
	{ "ECONNRESET", "connection reset", false },
	{ "ETIMEDOUT", "no answer", false },
	{ "EHOSTUNREACH", "host not reachable", false },
	{ "ENETUNREACH", "network not reachable", false },
};

static const struct error *find_error(const char *name)
{
	size_t i;

	for (i = 0; name && i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (!strcmp(errors[i].error, name))
			return &errors[i];
	}
	return NULL;
}

static const char *error_words(const struct sw_view_program *program)
{
	const char *name = program->failed_error;
	const struct error *error = find_error(name);

	if (error)
		return error->words;
	return name ? name : "unknown error";
}

/* A search through several folders has no single path to name. */
static bool is_sought(const struct sw_view_program *program)
{
	return !strchr(program->failed_object, '/') && program->failed_error &&
	       !strcmp(program->failed_error, "ENOENT");
}

static bool is_library(const char *name)
{
	size_t length = strlen(name);

	return strstr(name, ".so.") ||
	       (length > 3 && !strcmp(name + length - 3, ".so"));
}

/* "open /ref/genome.fa: no such file" */
static void deed_words(char *buf, size_t size,
		       const struct sw_view_program *program)
{
	const char *call = program->failed_call,
		   *object = sw_text(program->failed_object);
	char name[SW_FINDING_NAME_SIZE], amount[SW_UNITS_TEXT_SIZE];

	sw_finding_path(name, sizeof(name), object);
	if (!strcmp(call, "memory"))
		snprintf(buf, size, "get %s of memory",
			 sw_size_format(amount, sizeof(amount),
					strtoull(object, NULL, 10)));
	else if (!strcmp(call, "fork"))
		snprintf(buf, size, "start a process or thread: %s",
			 error_words(program));
	else if (!strcmp(call, "interpret"))
		snprintf(buf, size, "execute a script by its interpreter %s: "
			 "%s", name, error_words(program));
	else if (!strcmp(call, "connect"))
		snprintf(buf, size, "connect to %s: %s", name,
			 error_words(program));
	else if (!strcmp(call, "execute") && is_sought(program))
		snprintf(buf, size, "find the program %s", name);
	else if (!strcmp(call, "open") && is_sought(program) &&
		 is_library(object))
		snprintf(buf, size, "find the library %s", name);
	else
		snprintf(buf, size, "%s %s: %s", call, name,
			 error_words(program));
}

bool sw_program_has_cause(const struct sw_view_program *program)
{
	return program->failed_call && program->failed_is_cause == 1;
}

bool sw_program_lacks_resource(const struct sw_view_program *program)
{
	const struct error *error = find_error(program->failed_error);

	return sw_program_has_cause(program) &&
	       (!strcmp(program->failed_call, "memory") ||
		!strcmp(program->failed_call, "fork") ||
		(error && error->is_lack));
}

bool sw_program_lacks_file(const struct sw_view_program *program)
{
	return sw_program_has_cause(program) &&
	       !strcmp(program->failed_call, "open");
}

char *sw_cause_words(char *buf, size_t size, const char *who,
		     const struct sw_view_program *program)
{
	char words[SW_CAUSE_WORDS_SIZE - 96], name[SW_FINDING_NAME_SIZE];

	buf[0] = '\0';
	if (program->failed_call)
		deed_words(words, sizeof(words), program);
	if (sw_program_has_cause(program))
		snprintf(buf, size, "%s could not %s", who, words);
	else if (program->last_read)
		snprintf(buf, size, "the last file %s opened for reading was "
			 "%s", who, sw_finding_path(name, sizeof(name),
					       program->last_read));
	else if (program->failed_call)
		snprintf(buf, size, "the last call of %s that failed, which "
			 "need not be the reason, was to %s", who, words);
	return buf;
}

const char *sw_not_found_title(const struct sw_view_program *shell)
{
	return shell->last_exit_status == SW_STATUS_NOT_EXECUTABLE
		       ? "A command could not be executed"
		       : "A command was not found";
}

char *sw_not_found_words(char *buf, size_t size,
			 const struct sw_view_program *shell)
{
	bool has_cause = sw_program_has_cause(shell);
	char name[SW_FINDING_NAME_SIZE];

	sw_finding_name(name, sizeof(name), shell->name);
	if (shell->last_exit_status == SW_STATUS_NOT_EXECUTABLE)
		snprintf(buf, size, "%s could not execute a command that it "
			 "was to run (exit status 126)", name);
	else
		snprintf(buf, size, "%s could not find a command that it was "
			 "to run%s (exit status 127)", name,
			 has_cause ? "" : ", or that command's interpreter");
	return buf;
}

char *sw_cause_unrecorded(char *buf, size_t size, const struct sw_view *view)
{
	const struct sw_view_recording *r = &view->recording;
	const char *source = sw_text(r->failures_source);
	bool has_bpf = !strcmp(sw_text(r->programs_source), "bpf");

	buf[0] = '\0';
	if (strcmp(source, "connections") && strcmp(source, "none"))
		return buf;
	snprintf(buf, size, "the cause was not recorded (%s)",
		 !has_bpf	      ? "needs BPF" :
		 r->failures_reason ? r->failures_reason :
				      "needs BPF's fexit hooks");
	return buf;
}
