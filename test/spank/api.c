/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls by which a plugin queries its context, and those that log. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "test/spank/host.h"
#include "test/spank/out.h"

#define ARGV_MAX 64

static const char *const error_texts[] = {
	[ESPANK_ERROR - ESPANK_ERROR] = "Generic error",
	[ESPANK_BAD_ARG - ESPANK_ERROR] = "Bad argument",
	[ESPANK_NOT_TASK - ESPANK_ERROR] = "Not in task context",
	[ESPANK_ENV_EXISTS - ESPANK_ERROR] = "Environment variable exists",
	[ESPANK_ENV_NOEXIST - ESPANK_ERROR] = "No such environment variable",
	[ESPANK_NOSPACE - ESPANK_ERROR] = "Buffer too small",
	[ESPANK_NOT_REMOTE - ESPANK_ERROR] = "Valid only in remote context",
	[ESPANK_NOEXIST - ESPANK_ERROR] =
		"Id/PID does not exist on this node",
	[ESPANK_NOT_EXECD - ESPANK_ERROR] =
		"Lookup by PID requested, but no tasks running",
	[ESPANK_NOT_AVAIL - ESPANK_ERROR] =
		"Item not available from this callback",
	[ESPANK_NOT_LOCAL - ESPANK_ERROR] =
		"Valid only in local or allocator context",
};

const char *spank_strerror(spank_err_t err)
{
	size_t i = (size_t)err - ESPANK_ERROR;

	if ((size_t)err >= ESPANK_ERROR &&
	    i < sizeof(error_texts) / sizeof(error_texts[0]))
		return error_texts[i];
	return strerror((int)err);
}

int spank_symbol_supported(const char *symbol)
{
	static const char prefix[] = "slurm_spank_";

	if (!symbol)
		return -1;
	if (strncmp(symbol, prefix, sizeof(prefix) - 1) != 0)
		return 0;
	return host_hook_find(symbol + sizeof(prefix) - 1) >= 0;
}

int spank_remote(spank_t spank)
{
	if (!spank || spank->magic != HOST_HANDLE_MAGIC)
		return -1;
	return host_stack->context == S_CTX_REMOTE;
}

spank_context_t spank_context(void)
{
	return host_stack ? host_stack->context : S_CTX_ERROR;
}

/* Since 23.11; the prototype is not in spank.h of 22.05. */
spank_err_t spank_prepend_task_argv(spank_t spank, int argc,
				    const char *argv[]);

spank_err_t spank_prepend_task_argv(spank_t spank, int argc,
				    const char *argv[])
{
	static char *joined[ARGV_MAX + 1];
	struct host_job *job = spank ? spank->job : NULL;
	int n = 0;

	if (!host_stack->settings->release->has_prepend_task_argv)
		out_violation("symbol", "spank_prepend_task_argv",
			      "Slurm %s has no such call: the process would "
			      "end here", host_stack->settings->release->name);
	if (spank_remote(spank) < 0 || argc < 0 || !argv)
		return ESPANK_BAD_ARG;
	if (!spank->task || (spank->hook != HOOK_TASK_INIT_PRIVILEGED &&
			     spank->hook != HOOK_TASK_INIT))
		return ESPANK_NOT_TASK;
	if (argc + job->argc > ARGV_MAX)
		return ESPANK_NOSPACE;
	memmove(joined + argc, job->argv,
		(size_t)job->argc * sizeof(joined[0]));
	for (; n < argc && argv[n]; n++)
		joined[n] = (char *)(uintptr_t)argv[n];
	job->argc += n;
	job->argv = joined;
	return ESPANK_SUCCESS;
}

static void log_line(const char *level, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static void log_line(const char *level, const char *format, va_list args)
{
	char text[1024];
	struct out_line line;

	vsnprintf(text, sizeof(text), format, args);
	out_begin(&line, "log");
	out_text(&line, "level", level);
	out_text(&line, "text", text);
	out_end(&line);
}

#define LOG_CALL(function, level)                                           \
	void function(const char *format, ...)                              \
	{                                                                   \
		va_list args;                                               \
                                                                            \
		va_start(args, format);                                     \
		log_line(level, format, args);                              \
		va_end(args);                                               \
	}

LOG_CALL(slurm_error, "error")
LOG_CALL(slurm_info, "info")
LOG_CALL(slurm_verbose, "verbose")
LOG_CALL(slurm_debug, "debug")
LOG_CALL(slurm_debug2, "debug2")
LOG_CALL(slurm_debug3, "debug3")
LOG_CALL(slurm_spank_log, "spank_log")
