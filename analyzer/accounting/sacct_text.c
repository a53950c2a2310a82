/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse the values of sacct's fields. */
#include "analyzer/accounting/sacct_text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/local_time.h"
#include "common/missing.h"

#define MIB (1024.0 * 1024)

/* Integers below 10^15 are exact as a double. */
enum { EXACT_DIGITS = 15 };

/* Fast path for nearly all numbers: digits only, exact as a double. */
static size_t take_digits(const char *text, double *value)
{
	uint64_t sum = 0;
	size_t length;

	for (length = 0; isdigit((unsigned char)text[length]); length++) {
		if (length == EXACT_DIGITS)
			return 0;
		sum = sum * 10 + (uint64_t)(text[length] - '0');
	}
	*value = (double)sum;
	return text[length] == '.' ? 0 : length;
}

/* Parse a number without sign, exponent or "nan", and set *end behind it. */
static double take_number(const char *text, const char **end)
{
	char digits[32], *rest;
	double value;
	size_t length = take_digits(text, &value);

	*end = text + length;
	if (length)
		return value;
	length = strspn(text, "0123456789.");
	if (!isdigit((unsigned char)text[0]) || length >= sizeof(digits))
		return NAN;
	memcpy(digits, text, length);
	digits[length] = '\0';
	value = strtod(digits, &rest);
	if (*rest)
		return NAN;
	*end = text + length;
	return value;
}

double sw_acct_text_number(const char *text)
{
	const char *end;
	double value = take_number(text, &end);

	return *end ? NAN : value;
}

static double with_unit(const char *text, double alone, const char **end)
{
	static const char units[] = "KMGTPE";
	double value = take_number(text, end);
	const char *unit;

	if (isnan(value))
		return NAN;
	unit = **end ? strchr(units, toupper((unsigned char)**end)) : NULL;
	if (!unit)
		return value * alone;
	(*end)++;
	return value * pow(1024, (double)(unit - units + 1));
}

double sw_acct_text_bytes(const char *text)
{
	const char *end;
	double value = with_unit(text, 1, &end);

	return *end ? NAN : value;
}

/*
 * Slurm marks values per CPU by the highest bit of a number of MiB of 32 or 64
 * bits, and sacct of some releases prints that bit as part of the number.
 */
#define FLAG_OF_CPU_32 2147483648.0
#define FLAG_OF_CPU_64 (UINT64_C(1) << 63)

static double without_flag(const char *text, double bytes,
			   enum sw_acct_memory_of *of)
{
	double mib = bytes / MIB;
	char *unit;
	uint64_t number;

	if (mib >= FLAG_OF_CPU_32 && mib < 2 * FLAG_OF_CPU_32) {
		*of = SW_ACCT_OF_CPU;
		return (mib - FLAG_OF_CPU_32) * MIB;
	}
	if (mib < (double)FLAG_OF_CPU_64)
		return bytes;
	/* A double cannot hold all digits. */
	errno = 0;
	number = strtoull(text, &unit, 10);
	if (errno || number < FLAG_OF_CPU_64 || (*unit && !strchr("Mcn", *unit)))
		return bytes;
	*of = SW_ACCT_OF_CPU;
	return (double)(number & ~FLAG_OF_CPU_64) * MIB;
}

double sw_acct_text_request(const char *text, enum sw_acct_memory_of *of)
{
	const char *end;
	double value = with_unit(text, MIB, &end);

	*of = SW_ACCT_OF_JOB;
	if (*end == 'c')
		*of = SW_ACCT_OF_CPU;
	else if (*end == 'n')
		*of = SW_ACCT_OF_NODE;
	else if (*end)
		return NAN;
	if (*end && end[1])
		return NAN;
	return without_flag(text, value, of);
}

double sw_acct_memory_per(enum sw_acct_memory_of of)
{
	if (of == SW_ACCT_OF_CPU)
		return SW_MEMORY_PER_CPU;
	return of == SW_ACCT_OF_NODE ? SW_MEMORY_PER_NODE : NAN;
}

double sw_acct_text_duration(const char *text)
{
	const char *dash = strchr(text, '-'), *end = text;
	double days = 0, part[3] = { 0, 0, 0 };
	size_t count = 0;

	if (dash) {
		days = take_number(text, &end);
		if (end != dash)
			return NAN;
		text = dash + 1;
	}
	for (;; text = end + 1) {
		if (count == 3)
			return NAN;
		part[count] = take_number(text, &end);
		if (isnan(part[count]) || (*end && *end != ':'))
			return NAN;
		count++;
		if (!*end)
			break;
	}
	/* Hours follow days; otherwise the last part is seconds. */
	if (dash || count == 3)
		return days * 86400 + part[0] * 3600 + part[1] * 60 + part[2];
	return count == 2 ? part[0] * 60 + part[1] : NAN;
}

double sw_acct_text_time(const char *text)
{
	struct tm tm = { 0 };
	const char *rest;

	if (strspn(text, "0123456789") == strlen(text))
		return sw_acct_text_number(text);
	rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	return !rest || *rest ? NAN : sw_local_time(&tm);
}
