/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Slurm plugin: reports steps that begin, their tasks, and how they ended
 * to the node's recorder.
 *
 *	optional stepwell.so [off] [quiet] [wait_ms=20] [end_wait_ms=50]
 *		[recorder=PATH] [socket=PATH]
 *
 * Loaded into slurmd, slurmstepd, srun, sbatch and salloc, and must never make
 * one of these fail: every hook returns 0, nothing is allocated, no descriptor,
 * child, thread or lock outlives a hook, and waiting is limited by the options
 * above.  A hook inside a step never starts anything.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slurm/spank.h>

#include "common/protocol.h"
#include "config.h"
#include "spank/drop.h"
#include "spank/file.h"
#include "spank/start.h"
#include "spank/step.h"
#include "spank/send_message.h"

#define USEC_PER_MSEC 1000u

/* Hooks are declared by spank.h; everything else in the plugin is hidden. */
#define HOOK __attribute__((visibility("default")))

#pragma GCC visibility push(default)
SPANK_PLUGIN(stepwell, 1)
#pragma GCC visibility pop

/* The options after the plugin's name in plugstack.conf. */
struct settings {
	bool is_off;
	uint32_t wait_msec, end_wait_msec;
	char recorder[256];
	char socket[108];
};

static struct settings settings = {
	.wait_msec = 20,
	.end_wait_msec = 50,
	.recorder = PKGLIBEXECDIR "/stepwell-recorder",
	.socket = SW_SOCKET_PATH,
};

/* Setting of the user's --stepwell, or else of the administrator. */
static uint32_t mode = SW_MODE_ON;
static uint32_t period_msec;
static bool is_mode_given;

/* Two lines in plugstack.conf load it once but call each hook twice. */
static bool is_option_there;

static bool starts_with(const char *text, const char *start,
			const char **rest)
{
	size_t length = strlen(start);

	*rest = text + length;
	return strncmp(text, start, length) == 0;
}

/* At most ten seconds, so that a typing error does not block every job. */
static uint32_t parse_msec(const char *text, uint32_t otherwise)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end || value > 10000) {
		slurm_error("stepwell: %s: must be 0 to 10000 milliseconds; %u "
			    "is used", text, otherwise);
		return otherwise;
	}
	return (uint32_t)value;
}

static void parse_path(const char *text, char *path, size_t size)
{
	if (text[0] != '/' || strlen(text) >= size)
		slurm_error("stepwell: %s: must be an absolute path of less "
			    "than %zu bytes; %s is used", text, size, path);
	else
		strcpy(path, text);
}

static void parse_word(const char *word)
{
	const char *value;

	if (strcmp(word, "off") == 0)
		settings.is_off = true;
	else if (strcmp(word, "quiet") == 0)
		mode = SW_MODE_QUIET;
	else if (starts_with(word, "wait_ms=", &value))
		settings.wait_msec = parse_msec(value, settings.wait_msec);
	else if (starts_with(word, "end_wait_ms=", &value))
		settings.end_wait_msec =
			parse_msec(value, settings.end_wait_msec);
	else if (starts_with(word, "recorder=", &value))
		parse_path(value, settings.recorder,
			   sizeof(settings.recorder));
	else if (starts_with(word, "socket=", &value))
		parse_path(value, settings.socket, sizeof(settings.socket));
	else
		slurm_error("stepwell: %s: unknown word in plugstack.conf; it "
			    "is ignored", word);
}

/* May be called twice with the same value, and again in the step. */
static int take_option(int value, const char *text, int remote)
{
	(void)value;
	if (text && sw_mode_parse(text, &mode, &period_msec)) {
		is_mode_given = true;
		return 0;
	}
	if (remote)
		return 0;
	slurm_error("stepwell: --stepwell=%s: must be off, on, quiet, report "
		    "or a period such as 500ms or 2s", text ? text : "");
	return -1;
}

static void register_option(spank_t spank)
{
	/* Slurm's struct is not const. */
	static char name[] = "stepwell";
	static char argument[] = "off|on|quiet|report|PERIOD";
	static char usage[] =
		"record the resource use of the job's steps (stepwell): off, "
		"on, quiet (no report at the end), report, or the time between "
		"samples";
	static struct spank_option option = {
		.name = name, .arginfo = argument, .usage = usage,
		.has_arg = 1, .cb = take_option,
	};

	/* Slurm would report the second one to every user. */
	if (is_option_there)
		return;
	is_option_there = true;
	if (spank_option_register(spank, &option) != ESPANK_SUCCESS)
		slurm_debug("stepwell: --stepwell is not available");
}

/*
 * With --export=NONE sbatch of Slurm before 23.11 hides its options from the
 * script's step, and leaves them only in a variable for an srun inside.
 */
static void take_option_of_sbatch(spank_t spank)
{
	char text[32];

	if (!is_mode_given &&
	    spank_getenv(spank, "SLURM_SPANK__SLURM_SPANK_OPTION_"
			 "stepwell_stepwell", text, sizeof(text)) ==
		    ESPANK_SUCCESS)
		sw_mode_parse(text, &mode, &period_msec);
}

/* Switches of the administrator, checked again by each step. */
static bool is_off(void)
{
	return settings.is_off || mode == SW_MODE_OFF ||
	       access(SW_OFF_PATH, F_OK) == 0;
}

static void send_start(struct sw_spank_step *step)
{
	size_t length = sw_message_start_length(step->message.task_count);

	sw_message_head(&step->message.header, SW_MESSAGE_STEP_START, length);
	step->is_started = true;
	if (sw_send_message(settings.socket, &step->message.header, -1,
			    &step->start_wait_usec) < 0)
		slurm_debug("stepwell: the recorder did not answer: %d", errno);
}

/*
 * Send an end message; without a recorder, keep it for the next one.  All
 * waiting at the end of a step shares one budget.
 */
static void tell(struct sw_spank_step *step,
		 const struct sw_message_header *message, int descriptor,
		 bool is_answered)
{
	uint64_t none = 0;

	if (sw_send_message(settings.socket, message, descriptor,
			    is_answered ? &step->end_wait_usec : &none) < 0 &&
	    errno != ETIMEDOUT && errno != EPROTO)
		sw_drop(message, &step->end_wait_usec);
}

/* name is a task's directory below that of the step, or "" for the latter. */
static void read_finals(const struct sw_spank_step *step, const char *name,
			struct sw_message_final_values *final_values)
{
	const char *folder = step->message.step.cgroup;

	if (step->is_cgroup_v1)
		sw_file_final_values_v1(folder, name, final_values);
	else
		sw_file_final_values(folder, name, final_values);
}

static void send_task_end(struct sw_spank_step *step,
			  struct sw_message_task *task, int wait_status)
{
	static struct sw_message_task_end message;
	char name[32] = "";

	sw_message_head(&message.header, SW_MESSAGE_TASK_END, sizeof(message));
	message.step = step->message.step;
	message.task = *task;
	message.wait_status = wait_status;
	if (task->cgroup_kind == SW_TASK_CGROUP_OWN) {
		snprintf(name, sizeof(name), "/task_%u", task->cgroup_number);
		read_finals(step, name, &message.final_values);
	} else {
		sw_file_final_values("", "", &message.final_values);
	}
	tell(step, &message.header, -1, false);
}

/*
 * Return the job's stderr for the report at its end: the file, for the batch
 * script; a step started by srun would only have a pipe.  An unresponsive file
 * system would block the step indefinitely, so the file is not accessed, not
 * even to get its type; F_GETFD reads only the descriptor table of this
 * process.
 */
static int job_stderr(const struct sw_message_step *step)
{
	if (step->step_id != SW_STEP_BATCH || step->mode == SW_MODE_QUIET ||
	    fcntl(STDERR_FILENO, F_GETFD) < 0)
		return -1;
	return STDERR_FILENO;
}

static void send_step_end(struct sw_spank_step *step)
{
	static struct sw_message_step_end message;

	sw_message_head(&message.header, SW_MESSAGE_STEP_END, sizeof(message));
	message.step = step->message.step;
	read_finals(step, "", &message.final_values);
	tell(step, &message.header, job_stderr(&message.step), true);
}

static void start_recorder(void)
{
	if (sw_start_recorder(settings.recorder, settings.socket) == 0)
		return;
	if (errno == EINPROGRESS)
		slurm_info("stepwell: %s is still starting; steps on this node "
			   "are recorded as soon as it runs",
			   settings.recorder);
	else
		slurm_error("stepwell: %s was not started: errno %d; steps on "
			    "this node are not recorded", settings.recorder,
			    errno);
}

HOOK int slurm_spank_init(spank_t spank, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		parse_word(argv[i]);
	if (spank_context() == S_CTX_SLURMD) {
		if (!is_off())
			start_recorder();
		return 0;
	}
	register_option(spank);
	return 0;
}

HOOK int slurm_spank_init_post_opt(spank_t spank, int argc, char **argv)
{
	struct sw_spank_step *step = &sw_spank_step;

	(void)argc;
	(void)argv;
	if (spank_context() != S_CTX_REMOTE)
		return 0;
	take_option_of_sbatch(spank);
	if (is_off())
		return 0;
	sw_step_identify(step, spank);
	step->message.step.mode = mode;
	step->message.step.period_msec = period_msec;
	step->start_wait_usec = (uint64_t)settings.wait_msec * USEC_PER_MSEC;
	step->end_wait_usec = (uint64_t)settings.end_wait_msec * USEC_PER_MSEC;
	return 0;
}

/* For the last task: all are forked and none has executed anything. */
HOOK int slurm_spank_task_post_fork(spank_t spank, int argc, char **argv)
{
	struct sw_spank_step *step = &sw_spank_step;

	(void)argc;
	(void)argv;
	if (spank_context() != S_CTX_REMOTE || !step->message.step.stepd_pid)
		return 0;
	if (sw_step_add_task(step, spank))
		send_start(step);
	return 0;
}

HOOK int slurm_spank_task_exit(spank_t spank, int argc, char **argv)
{
	struct sw_spank_step *step = &sw_spank_step;
	struct sw_message_task *task;
	int status = 0;

	(void)argc;
	(void)argv;
	if (spank_context() != S_CTX_REMOTE || !step->message.step.stepd_pid)
		return 0;
	task = sw_step_find_task(step, spank);
	if (!task)
		return 0;
	if (spank_get_item(spank, S_TASK_EXIT_STATUS, &status) !=
	    ESPANK_SUCCESS)
		status = 0;
	sw_step_identify_late(step, spank);
	send_task_end(step, task, status);
	task->has_ended = 1;
	return 0;
}

HOOK int slurm_spank_exit(spank_t spank, int argc, char **argv)
{
	struct sw_spank_step *step = &sw_spank_step;

	(void)spank;
	(void)argc;
	(void)argv;
	is_option_there = false;
	/* In srun and sbatch this runs at their exit: do not request items. */
	if (!step->message.step.stepd_pid || step->has_ended)
		return 0;
	step->has_ended = true;
	send_step_end(step);
	return 0;
}
