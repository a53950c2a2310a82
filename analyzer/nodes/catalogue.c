/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read the catalogue of nodes.  Strict, since a misread price is a wrong bill:
 * fail on any malformed value.
 */
#include "analyzer/nodes/catalogue.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/traces/records.h"
#include "analyzer/traces/trace_format.h"
#include "common/escape.h"
#include "common/grow.h"

#define GIB (1024.0 * 1024 * 1024)
#define MB  1e6

enum column {
	NODE,
	CPUS,
	MEMORY,
	GPUS,
	DISK,
	NETWORK,
	PRICE,
	CURRENCY,
	AS_OF,
	COLUMNS,
};

/* A numeric field of a kind; NAN if empty. */
struct number {
	double least, most, unit;
	size_t offset;
};

#define AT(member) offsetof(struct sw_node_kind, member)

static const struct {
	const char *name;
	bool is_required;     /* in every row */
	struct number number; /* most 0: a text field */
} columns[COLUMNS] = {
	[NODE] = { "node", true, { 0 } },
	[CPUS] = { "cpus", true, { 1, 1e6, 1, AT(cpus) } },
	[MEMORY] = { "memory_gib", true, { 1e-3, 1e9, GIB, AT(memory_bytes) } },
	[GPUS] = { "gpus", false, { 0, 1e4, 1, AT(gpus) } },
	[DISK] = { "local_disk_mb_s", false,
		   { 0, 1e9, MB, AT(disk_bytes_per_second) } },
	[NETWORK] = { "network_mb_s", false,
		      { 0, 1e9, MB, AT(network_bytes_per_second) } },
	[PRICE] = { "price_per_hour", false, { 0, 1e9, 1, AT(hour_price) } },
	[CURRENCY] = { "currency", false, { 0 } },
	[AS_OF] = { "as_of", false, { 0 } },
};

struct reading {
	struct sw_records *records;
	struct sw_catalogue *catalogue;
	size_t field[COLUMNS]; /* index by column; SIZE_MAX: none */
	size_t field_count;
	struct sw_error *error;
};

static int refuse(const struct reading *reading, const char *what,
		  const char *value)
{
	char shown[96];

	errno = EINVAL;
	return sw_error_set(reading->error, "%.300s:%lu: %s%s%s%s",
			    sw_records_path(reading->records),
			    sw_records_line(reading->records), what,
			    value ? ", not \"" : "",
			    value ? sw_escape_ascii(shown, sizeof(shown), value)
				  : "",
			    value ? "\"" : "");
}

/* "" if the file lacks the column. */
static const char *text_of(const struct reading *reading, enum column column)
{
	if (reading->field[column] == SIZE_MAX)
		return "";
	return sw_records_field(reading->records, reading->field[column]);
}

static int find_column(const char *name)
{
	int i;

	for (i = 0; i < COLUMNS; i++) {
		if (!strcmp(columns[i].name, name))
			return i;
	}
	return -1;
}

static int read_head(struct reading *reading)
{
	char words[80];
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		reading->field[i] = SIZE_MAX;
	reading->field_count = sw_records_field_count(reading->records);
	for (i = 0; i < reading->field_count; i++) {
		const char *name = sw_records_field(reading->records, i);
		int column = find_column(name);

		if (column < 0)
			return refuse(reading,
				      "the columns are " SW_CATALOGUE_HEAD,
				      name);
		if (reading->field[column] != SIZE_MAX)
			return refuse(reading, "each column comes once", name);
		reading->field[column] = i;
	}
	for (i = 0; i < COLUMNS; i++) {
		if (!columns[i].is_required || reading->field[i] != SIZE_MAX)
			continue;
		snprintf(words, sizeof(words), "there is no column \"%s\"",
			 columns[i].name);
		return refuse(reading, words, NULL);
	}
	return 0;
}

static int read_number(const struct reading *reading, enum column column,
		       struct sw_node_kind *kind)
{
	const struct number *number = &columns[column].number;
	double *to = (double *)(void *)((char *)kind + number->offset);
	const char *text = text_of(reading, column);
	char words[120];
	double value;

	*to = NAN;
	if (!*text && !columns[column].is_required)
		return 0;
	if (sw_trace_number(text, &value) == 0 && value >= number->least &&
	    value <= number->most) {
		*to = value * number->unit;
		return 0;
	}
	snprintf(words, sizeof(words), "%s must be a number from %g to %g",
		 columns[column].name, number->least, number->most);
	return refuse(reading, words, text);
}

static bool is_leap(unsigned year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static bool is_date(const char *text)
{
	static const unsigned char days[] = { 31, 28, 31, 30, 31, 30,
					      31, 31, 30, 31, 30, 31 };
	unsigned year, month, day;
	char more;

	if (strlen(text) != SW_DATE_SIZE - 1 || text[4] != '-' ||
	    text[7] != '-' || strspn(text, "0123456789-") != strlen(text) ||
	    sscanf(text, "%4u-%2u-%2u%c", &year, &month, &day, &more) != 3)
		return false;
	return year >= 2000 && month >= 1 && month <= 12 && day >= 1 &&
	       day <= days[month - 1] + (month == 2 && is_leap(year) ? 1U : 0U);
}

static bool is_currency(const char *text)
{
	size_t i;

	for (i = 0; text[i]; i++) {
		if (!isalpha((unsigned char)text[i]))
			return false;
	}
	return i > 0 && i < SW_CURRENCY_SIZE;
}

/* Price, currency and date have to be given together. */
static int read_price(struct reading *reading, struct sw_node_kind *kind)
{
	const char *currency = text_of(reading, CURRENCY);
	const char *as_of = text_of(reading, AS_OF);
	char *common = reading->catalogue->currency;

	if (isnan(kind->hour_price))
		return 0;
	if (!is_currency(currency))
		return refuse(reading,
			      "a price needs a currency, a word such "
			      "as EUR of at most 7 letters",
			      currency);
	if (!is_date(as_of))
		return refuse(reading,
			      "a price needs the date that it is of, "
			      "as_of, such as 2026-01-08",
			      as_of);
	if (*common && strcmp(common, currency) != 0)
		return refuse(reading, "all prices must be in one currency",
			      currency);
	snprintf(common, SW_CURRENCY_SIZE, "%s", currency);
	snprintf(kind->as_of, sizeof(kind->as_of), "%s", as_of);
	return 0;
}

static int read_name(const struct reading *reading, struct sw_node_kind *kind)
{
	const struct sw_catalogue *catalogue = reading->catalogue;
	const char *name = text_of(reading, NODE);
	size_t i;

	if (!*name || strlen(name) >= sizeof(kind->name))
		return refuse(reading,
			      "node must be a name, a list or a "
			      "pattern of names, a feature or an instance "
			      "type, of 1 to 127 bytes",
			      name);
	for (i = 0; name[i]; i++) {
		if (!isgraph((unsigned char)name[i]))
			return refuse(reading,
				      "node must have no spaces and "
				      "only ASCII",
				      name);
	}
	for (i = 0; i < catalogue->count; i++) {
		if (!strcmp(catalogue->kinds[i].name, name))
			return refuse(reading, "each kind of node comes once",
				      name);
	}
	snprintf(kind->name, sizeof(kind->name), "%s", name);
	return 0;
}

static int read_row(struct reading *reading)
{
	struct sw_catalogue *catalogue = reading->catalogue;
	struct sw_node_kind kind = { .name = "" };
	int i;

	if (sw_records_field_count(reading->records) != reading->field_count)
		return refuse(reading,
			      "not as many fields as the first line "
			      "has",
			      NULL);
	if (catalogue->count == SW_CATALOGUE_ROWS_MAX)
		return refuse(reading, "more than 1000 kinds of nodes", NULL);
	if (read_name(reading, &kind) < 0)
		return -1;
	for (i = 0; i < COLUMNS; i++) {
		if (columns[i].number.most > 0 &&
		    read_number(reading, (enum column)i, &kind) < 0)
			return -1;
	}
	if (read_price(reading, &kind) < 0)
		return -1;
	if (sw_grow(&catalogue->kinds, catalogue->count, sizeof(kind)) < 0)
		return sw_error_errno(reading->error, "the catalogue of nodes");
	catalogue->kinds[catalogue->count++] = kind;
	return 0;
}

static int read_rows(struct reading *reading)
{
	bool has_head = false;
	int rc, got;

	while ((got = sw_records_next(reading->records, reading->error)) > 0) {
		if (*sw_records_field(reading->records, 0) == '#')
			continue;
		rc = has_head ? read_row(reading) : read_head(reading);
		if (rc < 0)
			return -1;
		has_head = true;
	}
	if (got == 0 && !reading->catalogue->count)
		return refuse(reading, "no kind of node is in it", NULL);
	return got;
}

int sw_catalogue_read(struct sw_catalogue *catalogue, const char *path,
		      struct sw_error *error)
{
	struct reading reading = { .catalogue = catalogue, .error = error };
	int rc;

	*catalogue = (struct sw_catalogue){ 0 };
	if (!path)
		return 0;
	reading.records = sw_records_open(path, error);
	if (!reading.records)
		return -1;
	rc = read_rows(&reading);
	if (rc < 0)
		sw_catalogue_fini(catalogue);
	sw_records_close(reading.records);
	return rc;
}

void sw_catalogue_fini(struct sw_catalogue *catalogue)
{
	int saved = errno;

	free(catalogue->kinds);
	*catalogue = (struct sw_catalogue){ 0 };
	errno = saved;
}
