/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Apply advice to a batch script: print the diff, or write the script. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "analyzer/print/messages.h"
#include "analyzer/script/script.h"
#include "analyzer/suggest/suggest.h"
#include "common/units.h"

static int save(struct sw_script_file *file, const char *path,
		const struct sw_script_text *text)
{
	struct sw_error error;

	if (sw_script_save(file, path, text, &error) < 0)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	return sw_complain(SW_EXIT_OK, "Changed %s; the original is kept as %s",
			   path, file->kept);
}

/* Quotes may be in unexpected places: parse the result again. */
static bool is_sound(const struct sw_script_change *change,
		     const struct sw_request *request)
{
	const struct sw_request_item *memory =
		&request->items[SW_RESOURCE_MEMORY];
	const struct sw_request_item *time = &request->items[SW_RESOURCE_TIME];
	struct sw_script script;
	struct sw_error error;
	struct sw_run run;
	bool is_sound;

	if (sw_script_init(&script, change->text, change->length, &error) < 0)
		return false;
	sw_script_request(&script, &run);
	/* Per CPU or GPU, it is rounded up for each of them. */
	is_sound = (!memory->is_change || change->left ||
		    (run.requested_bytes >= (double)(memory->next * SW_MIB) &&
		     run.requested_bytes < (double)(memory->next * SW_MIB) +
			     (double)SW_MIB *
			     fmax(1, fmax(run.requested_cores,
					  run.requested_gpus)))) &&
		   (!time->is_change || change->left ||
		    run.requested_seconds == (double)(time->next * 60));
	sw_script_fini(&script);
	return is_sound;
}

static int finish(struct sw_script_file *file, const char *path,
		  const struct sw_script_change *change, bool is_write)
{
	const struct sw_script_text old = { file->text, file->length };
	const struct sw_script_text new = { change->text, change->length };
	int status = SW_EXIT_OK;
	size_t i;

	if (sw_script_diff(stdout, path, &old, &new, isatty(STDOUT_FILENO)) < 0)
		return sw_complain(SW_EXIT_FAILURE, "not enough memory for "
				   "the difference to %s", path);
	for (i = 0; i < change->note_count; i++)
		sw_complain(SW_EXIT_OK, "%s: %s", path, change->notes[i]);
	if (!change->changed)
		sw_complain(SW_EXIT_OK, "%s: nothing to change", path);
	else if (is_write)
		status = save(file, path, &new);
	return status == SW_EXIT_OK && change->left ? SW_EXIT_PARTIAL :
						      status;
}

int sw_suggest_apply(const char *path, const struct sw_request *request,
		     bool is_write)
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
		if (sw_script_change(&change, &script, request) < 0)
			status = sw_complain(SW_EXIT_FAILURE, "not enough "
					     "memory to change %s", path);
		else if (!is_sound(&change, request))
			status = sw_complain(SW_EXIT_FAILURE, "%s: its options "
					     "are quoted in a way that cannot "
					     "be changed safely; the file was "
					     "not changed", path);
		else
			status = finish(&file, path, &change, is_write);
		sw_script_change_fini(&change);
		sw_script_fini(&script);
	}
	sw_script_file_fini(&file);
	return status;
}
