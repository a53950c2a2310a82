/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stepwell verify: check that a profile is complete; list what is not. */
#include <fcntl.h>
#include <limits.h>

#include "analyzer/print/json.h"
#include "analyzer/verbs/verb.h"

static bool is_complete(const struct sw_reader_health *health)
{
	return health->is_finished && !health->frames_damaged &&
	       !health->frames_missing && !health->rows_dropped;
}

static void print_text(const char *path, const struct sw_reader *reader)
{
	const struct sw_reader_health *h = sw_reader_health(reader);
	size_t i;

	printf("frames read      %llu\n"
	       "damaged places   %llu (%llu bytes)\n"
	       "frames missing   %llu\n"
	       "frames unknown   %llu\n"
	       "rows dropped     %llu\n"
	       "finished         %s\n"
	       "digest           %s\n",
	       (unsigned long long)h->frames_read,
	       (unsigned long long)h->frames_damaged,
	       (unsigned long long)h->bytes_damaged,
	       (unsigned long long)h->frames_missing,
	       (unsigned long long)h->frames_unknown,
	       (unsigned long long)h->rows_dropped,
	       h->is_finished ? "yes" :
	       h->is_from_tail ? "no; the last rows come from the tail file" :
				 "no",
	       sw_reader_origin(reader)->digest);
	for (i = 0; i < sw_reader_gap_count(reader); i++) {
		const struct sw_reader_gap *gap = sw_reader_gap(reader, i);

		printf("damage           %llu bytes at offset %llu",
		       (unsigned long long)gap->length_bytes,
		       (unsigned long long)gap->offset_bytes);
		if (!sw_is_missing(gap->after_usec))
			printf(", after %.6f s", (double)gap->after_usec / 1e6);
		if (!sw_is_missing(gap->before_usec))
			printf(", before %.6f s",
			       (double)gap->before_usec / 1e6);
		puts(" since boot");
	}
	if (is_complete(h))
		puts("complete");
	else
		sw_complain(SW_EXIT_PARTIAL, "%s: not complete; what could be "
			    "read is right, the rest is listed above", path);
}

static void print_json(const struct sw_reader *reader)
{
	const struct sw_reader_health *h = sw_reader_health(reader);
	struct json_object *root = sw_json_new(), *array, *item;
	size_t i;

	sw_json_text(root, "schema", "stepwell.verify/1");
	sw_json_bool(root, "is_complete", is_complete(h));
	sw_json_bool(root, "is_finished", h->is_finished);
	sw_json_bool(root, "is_from_tail", h->is_from_tail);
	sw_json_text(root, "digest", sw_reader_origin(reader)->digest);
	sw_json_number(root, "frames_read", h->frames_read);
	sw_json_number(root, "frames_damaged", h->frames_damaged);
	sw_json_number(root, "bytes_damaged", h->bytes_damaged);
	sw_json_number(root, "frames_missing", h->frames_missing);
	sw_json_number(root, "frames_unknown", h->frames_unknown);
	sw_json_number(root, "rows_dropped", h->rows_dropped);
	array = sw_json_array(root, "damage");
	for (i = 0; i < sw_reader_gap_count(reader); i++) {
		const struct sw_reader_gap *gap = sw_reader_gap(reader, i);

		item = sw_json_item(array);
		sw_json_number(item, "offset_bytes", gap->offset_bytes);
		sw_json_number(item, "length_bytes", gap->length_bytes);
		sw_json_number(item, "after_usec", gap->after_usec);
		sw_json_number(item, "before_usec", gap->before_usec);
	}
	sw_json_print(stdout, root);
}

static int run(int argc, char **argv)
{
	const struct sw_reader_want want = { .has_digest = true };
	bool is_json = false;
	const struct sw_option options[] = {
		{ "json", &is_json, NULL, "print JSON" },
		{ NULL, NULL, NULL, NULL },
	};
	int first = sw_options_parse(&sw_verb_verify, argc, argv, options),
	    status;
	struct sw_reader *reader;
	struct sw_error error;
	char path[PATH_MAX];

	if (first < 0)
		return sw_options_exit(first);
	if (argc - first != 1)
		return sw_complain(SW_EXIT_USAGE,
				   "verify: name one profile");
	status = sw_find_profile(argv[first], path, sizeof(path));
	if (status != SW_EXIT_OK)
		return status;
	reader = sw_reader_open_in(AT_FDCWD, path, true, &want, &error);
	if (!reader)
		return sw_complain(SW_EXIT_FAILURE, "%s", error.text);
	if (is_json)
		print_json(reader);
	else
		print_text(path, reader);
	status = is_complete(sw_reader_health(reader)) ? SW_EXIT_OK :
						      SW_EXIT_PARTIAL;
	sw_reader_close(reader);
	return status;
}

const struct sw_verb sw_verb_verify = {
	.name = "verify",
	.usage = "[--json] FILE|ID",
	.help = "checks whether a profile is complete, and what is missing",
	.run = run,
};
