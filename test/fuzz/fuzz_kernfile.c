/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzz the parser of kernel text.  The input is the text of a file; every
 * reader parses it, and the values are checked against what it promises.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/missing.h"
#include "common/proc_stat.h"
#include "recorder/kernel/kernfile.h"

enum { VALUES = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct sw_kernkey keys[] = {
	{ "usage_usec", 0 }, { "rbytes", 1 }, { "max", 2 },
};

static void demand(int is_kept, const char *promise)
{
	if (is_kept)
		return;
	fprintf(stderr, "broken: %s\n", promise);
	abort();
}

/* No key sets the last value. */
static void reset(uint64_t *values)
{
	memset(values, 0xff, VALUES * sizeof(*values));
}

static void try_file(const struct sw_kernfile *file)
{
	enum sw_read_status status;
	uint64_t values[VALUES];

	reset(values);
	status = sw_kernfile_number(file, &values[0]);
	demand(status == SW_READ_OK || sw_is_missing(values[0]),
	       "no number where the text is none");
	reset(values);
	sw_kernfile_keyed(file, keys, 3, values);
	demand(sw_is_missing(values[3]), "keyed keeps to its values");
	reset(values);
	status = sw_kernfile_nested(file, keys, 3, values);
	demand(status == SW_READ_OK || sw_is_missing(values[1]),
	       "no sum of a text that is not understood");
	demand(sw_is_missing(values[3]), "nested keeps to its values");
	reset(values);
	status = sw_kernfile_pressure(file, &values[0], &values[1]);
	demand(status == SW_READ_OK || (sw_is_missing(values[0]) &&
					sw_is_missing(values[1])),
	       "no pressure of a text that is not understood");
}

static void try_stat(const uint8_t *data, size_t size)
{
	struct sw_proc_stat stat;
	char *text = malloc(size + 1);

	if (!text)
		return;
	memcpy(text, data, size);
	text[size] = '\0';
	if (sw_proc_stat_parse(&stat, text) == 0)
		demand(memchr(stat.comm, '\0', sizeof(stat.comm)) != NULL &&
			       stat.state > ' ',
		       "a name has an end, and a state is there");
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct sw_kernfile file = { .fd = -1 };

	if (file.fd < 0)
		file.fd = memfd_create("kernfile", MFD_CLOEXEC);
	if (file.fd < 0 || ftruncate(file.fd, 0) < 0 ||
	    pwrite(file.fd, data, size, 0) != (ssize_t)size)
		return 0;
	try_file(&file);
	try_stat(data, size);
	return 0;
}
