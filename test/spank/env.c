/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Environments as arrays, and the calls of a plugin that read and change them:
 * spank_getenv() of the job, spank_job_control_*() of the prolog.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/spank/host.h"

static char **find(char **env, const char *name)
{
	size_t length = strlen(name);

	for (; *env; env++) {
		if (strncmp(*env, name, length) == 0 && (*env)[length] == '=')
			return env;
	}
	return NULL;
}

const char *host_env_get(char **env, const char *name)
{
	char **entry = find(env, name);

	return entry ? *entry + strlen(name) + 1 : NULL;
}

int host_env_set(char **env, const char *name, const char *value)
{
	char **entry = find(env, name);
	size_t size = strlen(name) + strlen(value) + 2;
	size_t count = 0;
	char *text;

	while (env[count])
		count++;
	if (!entry && count == HOST_ENV_MAX)
		return -1;
	text = malloc(size);
	if (!text)
		return -1;
	snprintf(text, size, "%s=%s", name, value);
	if (entry)
		free(*entry);
	else
		entry = &env[count];
	*entry = text;
	return 0;
}

void host_env_unset(char **env, const char *name)
{
	char **entry = find(env, name);

	if (!entry)
		return;
	free(*entry);
	for (; *entry; entry++)
		entry[0] = entry[1];
}

static spank_err_t copy_out(const char *value, char *buf, int len)
{
	if (!value)
		return ESPANK_ENV_NOEXIST;
	if (snprintf(buf, (size_t)len, "%s", value) >= len)
		return ESPANK_NOSPACE;
	return ESPANK_SUCCESS;
}

static spank_err_t check_remote(spank_t spank)
{
	if (spank_remote(spank) < 0)
		return ESPANK_BAD_ARG;
	if (!spank_remote(spank))
		return ESPANK_NOT_REMOTE;
	return spank->job ? ESPANK_SUCCESS : ESPANK_BAD_ARG;
}

spank_err_t spank_getenv(spank_t spank, const char *var, char *buf, int len)
{
	spank_err_t rc = check_remote(spank);

	if (rc != ESPANK_SUCCESS)
		return rc;
	if (len < 0)
		return ESPANK_BAD_ARG;
	return copy_out(host_env_get(spank->job->env, var), buf, len);
}

static spank_err_t set_checked(char **env, const char *var, const char *val,
			       int overwrite)
{
	if (!var || !val)
		return ESPANK_BAD_ARG;
	if (host_env_get(env, var) && !overwrite)
		return ESPANK_ENV_EXISTS;
	return host_env_set(env, var, val) == 0 ? ESPANK_SUCCESS :
						   ESPANK_ERROR;
}

spank_err_t spank_setenv(spank_t spank, const char *var, const char *val,
			 int overwrite)
{
	spank_err_t rc = check_remote(spank);

	return rc != ESPANK_SUCCESS ? rc :
	       set_checked(spank->job->env, var, val, overwrite);
}

spank_err_t spank_unsetenv(spank_t spank, const char *var)
{
	spank_err_t rc = check_remote(spank);

	if (rc != ESPANK_SUCCESS)
		return rc;
	if (!var)
		return ESPANK_BAD_ARG;
	host_env_unset(spank->job->env, var);
	return ESPANK_SUCCESS;
}

static spank_err_t check_control(spank_t spank)
{
	if (spank_remote(spank) < 0)
		return ESPANK_BAD_ARG;
	if (spank_remote(spank))
		return ESPANK_NOT_LOCAL;
	if (host_stack->context == S_CTX_SLURMD)
		return ESPANK_NOT_AVAIL;
	return ESPANK_SUCCESS;
}

spank_err_t spank_job_control_setenv(spank_t sp, const char *name,
				     const char *value, int overwrite)
{
	spank_err_t rc = check_control(sp);

	return rc != ESPANK_SUCCESS ? rc :
	       set_checked(host_stack->control_env, name, value, overwrite);
}

spank_err_t spank_job_control_getenv(spank_t sp, const char *name, char *buf,
				     int len)
{
	spank_err_t rc = check_control(sp);

	if (rc != ESPANK_SUCCESS)
		return rc;
	if (!name || !buf || len <= 0)
		return ESPANK_BAD_ARG;
	return copy_out(host_env_get(host_stack->control_env, name), buf, len);
}

spank_err_t spank_job_control_unsetenv(spank_t sp, const char *name)
{
	spank_err_t rc = check_control(sp);

	if (rc != ESPANK_SUCCESS)
		return rc;
	if (!name)
		return ESPANK_BAD_ARG;
	host_env_unset(host_stack->control_env, name);
	return ESPANK_SUCCESS;
}
