/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts advice into a batch script: shows the difference, or writes it. */
#include <limits.h>
#include <stdio.h>

#include "analyzer/script.h"
#include "analyzer/suggest.h"
#include "analyzer/verb.h"

static int save(const struct sw_script_file *file, const char *path,
		const struct sw_script_change *change)
{
	char kept[PATH_MAX];
	struct sw_error error;

	if (sw_script_save(file, path, change->text, change->length, kept,
			   sizeof(kept), &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	return sw_complain(SW_EXIT_OK, "%s was changed; what it was is in %s",
			   path, kept);
}

static int finish(const struct sw_script_file *file, const char *path,
		  const struct sw_script_change *change, bool is_write)
{
	int status = SW_EXIT_OK;
	size_t i;

	if (sw_script_diff(stdout, path, file->text, file->length,
			   change->text, change->length) < 0)
		return sw_complain(SW_EXIT_FAILURE, "not enough memory for "
				   "the difference to %s", path);
	for (i = 0; i < change->note_count; i++)
		sw_complain(SW_EXIT_OK, "%s: %s", path, change->notes[i]);
	if (!change->changed)
		sw_complain(SW_EXIT_OK, "%s: nothing to change", path);
	else if (is_write)
		status = save(file, path, change);
	return status == SW_EXIT_OK && change->left ? SW_EXIT_PARTIAL :
						      status;
}

int sw_suggest_apply(const char *path, const struct sw_ask *ask, bool is_write)
{
	struct sw_script_change change;
	struct sw_script_file file;
	struct sw_script script;
	struct sw_error error;
	int status;

	if (sw_script_load(&file, path, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	if (sw_script_init(&script, file.text, file.length, &error) < 0) {
		status = sw_complain(SW_EXIT_FAILURE, "%s: %s", path,
				     error.text);
	} else {
		status = sw_script_change(&change, &script, ask) < 0 ?
			 sw_complain(SW_EXIT_FAILURE, "not enough memory to "
				     "change %s", path) :
			 finish(&file, path, &change, is_write);
		sw_script_change_fini(&change);
		sw_script_fini(&script);
	}
	sw_script_file_fini(&file);
	return status;
}
