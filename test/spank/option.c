/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of plugins: registered in init, given by the user to a launcher,
 * passed to the step in the launch message and the environment.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/spank/host.h"
#include "test/spank/out.h"

#define ENV_PREFIX "_SLURM_SPANK_OPTION_"
#define ENV_NAME_SIZE 192

struct host_spank_option *host_option_find(const char *name)
{
	for (unsigned int i = 0; i < host_stack->noptions; i++) {
		if (strcmp(host_stack->options[i].option.name, name) == 0)
			return &host_stack->options[i];
	}
	return NULL;
}

spank_err_t spank_option_register(spank_t spank, struct spank_option *opt)
{
	struct host_spank_option *entry;

	if (spank_remote(spank) < 0 || spank->hook != HOOK_INIT || !opt ||
	    !opt->name || !opt->usage)
		return ESPANK_BAD_ARG;
	if (strlen(opt->name) > SPANK_OPTION_MAXLEN ||
	    host_stack->noptions == HOST_OPTIONS_MAX)
		return ESPANK_NOSPACE;
	entry = &host_stack->options[host_stack->noptions];
	entry->is_disabled = host_option_find(opt->name) != NULL;
	if (entry->is_disabled)
		slurm_info("spank: option \"%s\" provided by both %s and %s",
			   opt->name, spank->plugin->name,
			   host_option_find(opt->name)->plugin->name);
	entry->option = *opt;
	entry->plugin = spank->plugin;
	host_stack->noptions++;
	return ESPANK_SUCCESS;
}

char *host_option_env_name(const struct host_spank_option *option, char *buf,
			   size_t size)
{
	snprintf(buf, size, ENV_PREFIX "%s_%s", option->plugin->name,
		 option->option.name);
	for (char *p = buf; *p; p++) {
		if (!isalnum((unsigned char)*p))
			*p = '_';
	}
	return buf;
}

static bool is_asked_too_early(enum host_hook hook)
{
	return hook == HOOK_INIT || hook == HOOK_INIT_POST_OPT ||
	       hook == HOOK_TASK_POST_FORK || hook == HOOK_SLURMD_EXIT ||
	       hook == HOOK_EXIT;
}

/* In prolog and epilog the option's name has the prefix SPANK_. */
static const char *find_in_environ(const struct spank_handle *spank,
				   const struct spank_option *opt)
{
	struct host_spank_option entry = {
		.option = *opt,
		.plugin = spank->plugin,
	};
	char name[ENV_NAME_SIZE] = "SPANK_";
	const char *value;

	host_option_env_name(&entry, name + 6, sizeof(name) - 6);
	value = getenv(name + 6);
	return value ? value : getenv(name);
}

spank_err_t spank_option_getopt(spank_t spank, struct spank_option *opt,
				char **arg)
{
	struct host_spank_option *entry;
	const char *value;

	if (arg)
		*arg = NULL;
	if (spank_remote(spank) < 0 || is_asked_too_early(spank->hook))
		return ESPANK_NOT_AVAIL;
	if (!opt || !opt->name || (opt->has_arg && !arg))
		return ESPANK_BAD_ARG;
	entry = host_option_find(opt->name);
	if (entry && !entry->is_found)
		return ESPANK_ERROR;
	value = entry ? entry->value : find_in_environ(spank, opt);
	if (!value)
		return ESPANK_ERROR;
	if (opt->has_arg)
		*arg = (char *)(uintptr_t)value;
	return ESPANK_SUCCESS;
}

static int give(struct host_spank_option *entry, const char *value,
		int remote, const char *from)
{
	int rc = entry->option.cb ?
		 entry->option.cb(entry->option.val, value, remote) : 0;
	struct out_line line;

	out_begin(&line, "option");
	out_text(&line, "context", host_context_name(host_stack->context));
	out_text(&line, "name", entry->option.name);
	out_text(&line, "value", value);
	out_text(&line, "from", from);
	out_number(&line, "rc", rc);
	out_end(&line);
	if (rc == 0) {
		snprintf(entry->value, sizeof(entry->value), "%s", value);
		entry->is_found = true;
	}
	return rc;
}

static void export_found(struct host_stack *stack)
{
	char name[ENV_NAME_SIZE];

	for (unsigned int i = 0; i < stack->noptions; i++) {
		if (!stack->options[i].is_found)
			continue;
		host_option_env_name(&stack->options[i], name, sizeof(name));
		setenv(name, stack->options[i].value, 1);
		host_env_set(stack->control_env, name,
			     stack->options[i].value);
	}
}

/*
 * In a launcher: an outer launcher's options from the environment, then argv.
 */
void host_options_take_local(struct host_stack *stack)
{
	const struct host_settings *settings = stack->settings;
	char name[ENV_NAME_SIZE] = "SLURM_SPANK_";

	for (unsigned int i = 0; i < stack->noptions; i++) {
		const char *value;

		host_option_env_name(&stack->options[i], name + 12,
				     sizeof(name) - 12);
		value = getenv(name);
		if (value)
			give(&stack->options[i], value, 0, "environment");
	}
	for (int i = 0; i < settings->noptions; i++) {
		struct host_spank_option *entry =
			host_option_find(settings->options[i].name);

		if (entry)
			give(entry, settings->options[i].value, 0, "argv");
		else
			out_violation("option", "argv", "no plugin has --%s",
				      settings->options[i].name);
	}
	export_found(stack);
}

static bool is_in_message(const struct host_settings *settings,
			  const char *name)
{
	for (int i = 0; i < settings->noptions; i++) {
		if (strcmp(settings->options[i].name, name) == 0)
			return true;
	}
	return false;
}

/* In the step: the launch message, then what its environment still has. */
void host_options_take_remote(struct host_stack *stack, char **env)
{
	const struct host_settings *settings = stack->settings;
	char name[ENV_NAME_SIZE];

	for (int i = 0; i < settings->noptions; i++) {
		struct host_spank_option *entry =
			host_option_find(settings->options[i].name);

		if (entry)
			give(entry, settings->options[i].value, 1, "message");
	}
	for (unsigned int i = 0; i < stack->noptions; i++) {
		const char *value;

		if (!settings->release->is_option_given_twice &&
		    is_in_message(settings, stack->options[i].option.name))
			continue;
		host_option_env_name(&stack->options[i], name, sizeof(name));
		value = host_env_get(env, name);
		if (value)
			give(&stack->options[i], value, 1, "environment");
		host_env_unset(env, name);
	}
	host_options_clear_env(env);
}

int host_options_found(const struct host_stack *stack,
		       struct host_option *options)
{
	int n = 0;

	for (unsigned int i = 0; i < stack->noptions; i++) {
		const struct host_spank_option *entry = &stack->options[i];

		if (!entry->is_found)
			continue;
		snprintf(options[n].plugin, sizeof(options[n].plugin), "%s",
			 entry->plugin->name);
		snprintf(options[n].name, sizeof(options[n].name), "%s",
			 entry->option.name);
		snprintf(options[n].value, sizeof(options[n].value), "%s",
			 entry->value);
		n++;
	}
	return n;
}

/* Only SPANK_ + prefix and the prefix itself; SLURM_SPANK_ stays. */
void host_options_clear_env(char **env)
{
	char name[ENV_NAME_SIZE];

	for (char **entry = env; *entry;) {
		const char *text = *entry;
		size_t length = strcspn(text, "=");

		if (strncmp(text, "SPANK_", 6) == 0)
			text += 6;
		if (strncmp(text, ENV_PREFIX, sizeof(ENV_PREFIX) - 1) != 0 ||
		    length >= sizeof(name)) {
			entry++;
			continue;
		}
		memcpy(name, *entry, length);
		name[length] = '\0';
		host_env_unset(env, name);
	}
}
