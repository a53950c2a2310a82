/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chunks of rows: the last of each part in memory, the others in the file. */
#include "analyzer/summaries/step_spill.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/grow.h"
#include "common/whole.h"

enum { CHUNK_ROWS = 256 };

#define CHUNK_BYTES (CHUNK_ROWS * sizeof(struct sw_step_row))

struct part {
	struct sw_step_row *rows; /* last chunk; NULL: none yet */
	size_t count;
	uint64_t *offsets; /* of full chunks in the file */
	size_t offset_count;
};

struct sw_step_spill {
	size_t part_count;
	int fd;
	uint64_t end; /* of the file */
	char folder[PATH_MAX];
	struct part parts[];
};

struct sw_step_spill *sw_step_spill_new(size_t parts)
{
	struct sw_step_spill *spill =
		calloc(1, sizeof(*spill) + parts * sizeof(struct part));
	const char *folder = getenv("TMPDIR");

	if (!spill)
		return NULL;
	spill->part_count = parts;
	spill->fd = -1;
	snprintf(spill->folder, sizeof(spill->folder), "%s",
		 folder && *folder ? folder : "/var/tmp");
	return spill;
}

static void free_part(struct part *part)
{
	free(part->rows);
	free(part->offsets);
	*part = (struct part){ .rows = NULL };
}

void sw_step_spill_free(struct sw_step_spill *spill)
{
	size_t i;

	if (!spill)
		return;
	for (i = 0; i < spill->part_count; i++)
		free_part(&spill->parts[i]);
	if (spill->fd >= 0)
		close(spill->fd);
	free(spill);
}

static int complain(const struct sw_step_spill *spill, struct sw_error *error)
{
	return sw_error_errno(error,
			      "%s, where the sweep puts summaries aside "
			      "(TMPDIR names another folder)",
			      spill->folder);
}

/* Use an unlinked file if the file system lacks O_TMPFILE. */
static int open_file(struct sw_step_spill *spill)
{
	char path[PATH_MAX + 32];

	if (spill->fd >= 0)
		return 0;
	spill->fd = open(spill->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (spill->fd >= 0)
		return 0;
	snprintf(path, sizeof(path), "%s/stepwell-sweep.XXXXXX", spill->folder);
	spill->fd = mkostemp(path, O_CLOEXEC);
	if (spill->fd >= 0)
		unlink(path);
	return spill->fd < 0 ? -1 : 0;
}

static int flush(struct sw_step_spill *spill, struct part *part)
{
	if (open_file(spill) < 0 ||
	    sw_write_whole(spill->fd, part->rows, CHUNK_BYTES, spill->end) <
		    0 ||
	    sw_grow(&part->offsets, part->offset_count,
		    sizeof(*part->offsets)) < 0)
		return -1;
	part->offsets[part->offset_count++] = spill->end;
	spill->end += CHUNK_BYTES;
	part->count = 0;
	return 0;
}

int sw_step_spill_add(struct sw_step_spill *spill, size_t at,
		      const struct sw_step_row *row, struct sw_error *error)
{
	struct part *part = &spill->parts[at];

	if (!part->rows) {
		part->rows = malloc(CHUNK_BYTES);
		if (!part->rows)
			return sw_error_errno(error, "the summaries");
	}
	if (part->count == CHUNK_ROWS && flush(spill, part) < 0)
		return complain(spill, error);
	part->rows[part->count++] = *row;
	return 0;
}

static int read_chunk(const struct sw_step_spill *spill, uint64_t offset,
		      struct sw_step_row *rows)
{
	ssize_t got = sw_read_whole(spill->fd, rows, CHUNK_BYTES, offset);

	if (got >= 0 && got < (ssize_t)CHUNK_BYTES)
		errno = EIO;
	return got == (ssize_t)CHUNK_BYTES ? 0 : -1;
}

static int take_rows(const struct sw_step_row *rows, size_t count,
		     int (*take)(void *context, const struct sw_step_row *row),
		     void *context)
{
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < count; i++)
		rc = take(context, &rows[i]);
	return rc;
}

int sw_step_spill_take(struct sw_step_spill *spill, size_t at,
		       int (*take)(void *context,
				   const struct sw_step_row *row),
		       void *context, struct sw_error *error)
{
	struct part *part = &spill->parts[at];
	struct sw_step_row *rows = NULL;
	size_t i;
	int rc = 0;

	if (part->offset_count) {
		rows = malloc(CHUNK_BYTES);
		if (!rows)
			return sw_error_errno(error, "the summaries");
	}
	for (i = 0; rc == 0 && i < part->offset_count; i++) {
		if (read_chunk(spill, part->offsets[i], rows) < 0) {
			free(rows);
			return complain(spill, error);
		}
		rc = take_rows(rows, CHUNK_ROWS, take, context);
	}
	if (rc == 0)
		rc = take_rows(part->rows, part->count, take, context);
	free(rows);
	free_part(part);
	return rc;
}
