/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse sizes and durations as people and Slurm write them. */
#include "common/units.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

/* A decimal number: integer part and up to nine fractional digits. */
struct decimal {
	uint64_t whole;
	uint64_t billionths;
};

static int fail(int error)
{
	errno = error;
	return -1;
}

static int parse_digits(const char **text, uint64_t *value)
{
	const char *p = *text;
	uint64_t sum = 0;

	if (*p < '0' || *p > '9')
		return fail(EINVAL);
	for (; *p >= '0' && *p <= '9'; p++) {
		if (__builtin_mul_overflow(sum, (uint64_t)10, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)(*p - '0'), &sum))
			return fail(ERANGE);
	}
	*text = p;
	*value = sum;
	return 0;
}

static int parse_decimal(const char **text, struct decimal *number)
{
	uint64_t unit = 100000000;
	const char *p = *text;

	number->billionths = 0;
	if (parse_digits(&p, &number->whole) < 0)
		return -1;
	if (*p == '.') {
		p++;
		if (*p < '0' || *p > '9')
			return fail(EINVAL);
		for (; *p >= '0' && *p <= '9'; p++) {
			number->billionths += unit * (uint64_t)(*p - '0');
			unit /= 10;
		}
	}
	*text = p;
	return 0;
}

/*
 * Compute number * factor, rounded down; refuses zero and overflow.  The
 * fraction is below one billion and factor at most 2^40, so that their product
 * fits when factor is split.
 */
static int scale(const struct decimal *number, uint64_t factor,
		 uint64_t *result)
{
	const uint64_t billion = 1000000000;
	uint64_t whole, fraction;

	fraction = number->billionths * (factor / billion) +
		   number->billionths * (factor % billion) / billion;
	if (__builtin_mul_overflow(number->whole, factor, &whole) ||
	    __builtin_add_overflow(whole, fraction, &whole) ||
	    whole == UINT64_MAX)
		return fail(ERANGE);
	if (whole == 0)
		return fail(EINVAL);
	*result = whole;
	return 0;
}

struct suffix {
	const char *text;
	uint64_t factor;
};

static int suffix_factor(const struct suffix *table, const char *text,
			 uint64_t *factor)
{
	for (; table->text; table++) {
		if (!strcasecmp(text, table->text)) {
			*factor = table->factor;
			return 0;
		}
	}
	return fail(EINVAL);
}

static int parse_scaled(const struct suffix *table, const char *text,
			uint64_t *result)
{
	struct decimal number;
	uint64_t factor;

	if (!text)
		return fail(EINVAL);
	if (parse_decimal(&text, &number) < 0 ||
	    suffix_factor(table, text, &factor) < 0)
		return -1;
	return scale(&number, factor, result);
}

/* unit is that of a number without a suffix. */
static int parse_size(const char *text, uint64_t unit, uint64_t *bytes)
{
	const struct suffix table[] = {
		{ "", unit },
		{ "k", SW_KIB }, { "kb", SW_KIB }, { "kib", SW_KIB },
		{ "m", SW_MIB }, { "mb", SW_MIB }, { "mib", SW_MIB },
		{ "g", SW_GIB }, { "gb", SW_GIB }, { "gib", SW_GIB },
		{ "t", SW_GIB << 10 }, { "tb", SW_GIB << 10 },
		{ "tib", SW_GIB << 10 }, { NULL, 0 },
	};

	return parse_scaled(table, text, bytes);
}

int sw_size_parse(const char *text, uint64_t *bytes)
{
	return parse_size(text, SW_MIB, bytes);
}

int sw_bytes_parse(const char *text, uint64_t *bytes)
{
	return parse_size(text, 1, bytes);
}

int sw_period_parse(const char *text, uint64_t *usec)
{
	static const struct suffix table[] = {
		{ "", SW_USEC_PER_SEC },
		{ "us", 1 },
		{ "ms", 1000 },
		{ "s", SW_USEC_PER_SEC },
		{ "m", MINUTE * SW_USEC_PER_SEC },
		{ "h", HOUR * SW_USEC_PER_SEC },
		{ NULL, 0 },
	};

	return parse_scaled(table, text, usec);
}

int sw_age_parse(const char *text, uint64_t *usec)
{
	static const struct suffix table[] = {
		{ "m", MINUTE * SW_USEC_PER_SEC },
		{ "h", HOUR * SW_USEC_PER_SEC },
		{ "d", 24 * HOUR * SW_USEC_PER_SEC },
		{ "w", 7 * 24 * HOUR * SW_USEC_PER_SEC },
		{ NULL, 0 },
	};

	return parse_scaled(table, text, usec);
}

/* Parse the colon-separated fields of a time limit: at most three. */
static int parse_fields(const char *text, uint64_t *field, size_t *count)
{
	*count = 0;
	for (;;) {
		if (*count == 3)
			return fail(EINVAL);
		if (parse_digits(&text, &field[(*count)++]) < 0)
			return -1;
		if (*text == '\0')
			return 0;
		if (*text++ != ':')
			return fail(EINVAL);
	}
}

/* Return the seconds of a field, given their number and whether days lead. */
static uint64_t field_seconds(size_t index, size_t count, bool has_days)
{
	static const uint64_t unit[] = { HOUR, MINUTE, 1 };

	if (!has_days && count < 3)
		index++;	/* "minutes" and "minutes:seconds" */
	return unit[index];
}

int sw_time_limit_parse(const char *text, uint64_t *usec)
{
	uint64_t field[3], days = 0, seconds, part;
	const char *dash, *p = text;
	size_t i, count;

	if (!text)
		return fail(EINVAL);
	dash = strchr(text, '-');
	if (dash) {
		if (parse_digits(&p, &days) < 0 || p != dash)
			return fail(EINVAL);
		p = dash + 1;
	}
	if (parse_fields(p, field, &count) < 0)
		return -1;
	if (__builtin_mul_overflow(days, (uint64_t)DAY, &seconds))
		return fail(ERANGE);
	for (i = 0; i < count; i++) {
		if (__builtin_mul_overflow(field[i],
					   field_seconds(i, count, dash),
					   &part) ||
		    __builtin_add_overflow(seconds, part, &seconds))
			return fail(ERANGE);
	}
	if (seconds >= UINT64_MAX / SW_USEC_PER_SEC)
		return fail(ERANGE);
	if (seconds == 0)
		return fail(EINVAL);
	*usec = seconds * SW_USEC_PER_SEC;
	return 0;
}

int sw_count_parse(const char *text, uint64_t min, uint64_t max,
		   uint64_t *count)
{
	uint64_t value;

	if (!text)
		return fail(EINVAL);
	if (parse_digits(&text, &value) < 0)
		return -1;
	if (*text != '\0')
		return fail(EINVAL);
	if (value < min || value > max)
		return fail(ERANGE);
	*count = value;
	return 0;
}
