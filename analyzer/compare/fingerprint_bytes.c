/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fingerprints as bytes: a version, then numbers of 7 bits per byte, lowest
 * first (a missing one is 0, others are larger by 1), and texts after their
 * size.  Programs come last, each after the size of its name; then 0 and the
 * number of other programs.
 */
#include "analyzer/compare/fingerprint.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/missing.h"

enum { VERSION = 1, NUMBER_SIZE = 10, SHARES = 1000 };
enum { HAS_FAILURE = 1, IS_COMPLETE = 2, NEED_IS_LOWER_BOUND = 4, WAS_UNLIKE = 8 };

/* Space for the end of the programs. */
enum { END_SIZE = 1 + NUMBER_SIZE };

struct out {
	uint8_t *at, *end;
	bool is_full;
};

static void put_byte(struct out *out, unsigned byte)
{
	if (out->at == out->end) {
		out->is_full = true;
		return;
	}
	*out->at++ = (uint8_t)byte;
}

static void put_plain(struct out *out, uint64_t number)
{
	for (; number > 0x7f; number >>= 7)
		put_byte(out, (unsigned)(number & 0x7f) | 0x80);
	put_byte(out, (unsigned)number);
}

static void put_number(struct out *out, uint64_t number)
{
	put_plain(out, sw_is_missing(number) ? 0 : number + 1);
}

static void put_text(struct out *out, const char *text)
{
	put_plain(out, strlen(text));
	for (; *text; text++)
		put_byte(out, (uint8_t)*text);
}

static void put_share(struct out *out, double share)
{
	put_number(out, share >= 0 && share <= 1
				? (uint64_t)lround(share * SHARES)
				: SW_MISSING);
}

static void put_environment(struct out *out,
			    const struct sw_fingerprint_environment *around)
{
	put_text(out, around->node);
	put_text(out, around->kind);
	put_text(out, around->kernel);
	put_text(out, around->mount);
	put_number(out, around->cpus_milli);
	put_number(out, around->bound_cpus);
	put_number(out, around->bound_numa);
	put_number(out, around->neighbors_permille);
}

static void put_step(struct out *out, const struct sw_fingerprint *print)
{
	size_t i;

	put_byte(out, VERSION);
	put_byte(out, (print->has_failure ? HAS_FAILURE : 0u) |
			      (print->is_complete ? IS_COMPLETE : 0u) |
			      (print->need_is_lower_bound ? NEED_IS_LOWER_BOUND
							  : 0u) |
			      (print->was_unlike ? WAS_UNLIKE : 0u));
	put_plain(out, print->state);
	put_number(out, print->exit_code);
	put_number(out, print->input_bytes);
	for (i = 0; i < SW_STEP_AMOUNTS; i++)
		put_number(out, print->amount[i]);
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		put_share(out, print->limited[i]);
	put_plain(out, print->phase_count);
	for (i = 0; i < print->phase_count; i++) {
		put_plain(out, print->phases[i].resource);
		put_share(out, print->phases[i].share);
	}
	put_environment(out, &print->environment);
}

static void put_program(struct out *out,
			const struct sw_fingerprint_program *program)
{
	size_t i;

	put_text(out, program->name);
	for (i = 0; i < SW_PROGRAM_AMOUNTS; i++)
		put_number(out, program->amount[i]);
	put_number(out, program->started_usec);
	put_number(out, program->failed_usec);
	put_number(out, program->exited_ok);
	put_plain(out, program->exits.count);
	for (i = 0; i < program->exits.count; i++) {
		put_plain(out, program->exits.kind[i]);
		put_plain(out, program->exits.processes[i]);
	}
}

size_t sw_fingerprint_encode(const struct sw_fingerprint *print,
			     uint8_t bytes[SW_FINGERPRINT_BYTES])
{
	struct out out = { bytes, bytes + SW_FINGERPRINT_BYTES - END_SIZE,
			   false };
	uint64_t more = print->more_programs;
	size_t i;

	put_step(&out, print);
	for (i = 0; i < print->program_count; i++) {
		uint8_t *begin = out.at;

		put_program(&out, &print->programs[i]);
		if (!out.is_full)
			continue;
		out.at = begin;
		more = sw_add_u64(more, print->program_count - i);
		break;
	}
	out.end += END_SIZE;
	put_byte(&out, 0);
	put_plain(&out, more);
	return (size_t)(out.at - bytes);
}

struct in {
	const uint8_t *at, *end;
	bool is_bad;
};

static unsigned take_byte(struct in *in)
{
	if (in->is_bad || in->at == in->end) {
		in->is_bad = true;
		return 0;
	}
	return *in->at++;
}

static uint64_t take_plain(struct in *in)
{
	uint64_t number = 0;
	unsigned shift, byte;

	for (shift = 0; shift < 64; shift += 7) {
		byte = take_byte(in);
		if (shift == 63 && byte > 1)
			break;
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return number;
	}
	in->is_bad = true;
	return 0;
}

/* The largest number, reserved for the missing one, is 0 here. */
static uint64_t take_number(struct in *in)
{
	return take_plain(in) - 1;
}

static size_t take_size(struct in *in, size_t most)
{
	uint64_t size = take_plain(in);

	if (size > most) {
		in->is_bad = true;
		return 0;
	}
	return (size_t)size;
}

static void take_text(struct in *in, char *text, size_t room)
{
	size_t size = take_size(in, room - 1), i;

	for (i = 0; i < size; i++) {
		text[i] = (char)take_byte(in);
		if (!text[i])
			in->is_bad = true;
	}
	text[size] = '\0';
}

static double take_share(struct in *in)
{
	uint64_t share = take_number(in);

	if (sw_is_missing(share))
		return NAN;
	if (share > SHARES)
		in->is_bad = true;
	return (double)share / SHARES;
}

static void take_environment(struct in *in,
			     struct sw_fingerprint_environment *around)
{
	take_text(in, around->node, sizeof(around->node));
	take_text(in, around->kind, sizeof(around->kind));
	take_text(in, around->kernel, sizeof(around->kernel));
	take_text(in, around->mount, sizeof(around->mount));
	around->cpus_milli = take_number(in);
	around->bound_cpus = take_number(in);
	around->bound_numa = take_number(in);
	around->neighbors_permille = take_number(in);
}

static void take_step(struct in *in, struct sw_fingerprint *print)
{
	unsigned flags = take_byte(in);
	size_t i;

	print->has_failure = flags & HAS_FAILURE;
	print->is_complete = flags & IS_COMPLETE;
	print->need_is_lower_bound = flags & NEED_IS_LOWER_BOUND;
	print->was_unlike = flags & WAS_UNLIKE;
	print->state = (enum sw_run_state)take_size(in, SW_RUN_CANCELLED);
	print->exit_code = take_number(in);
	print->input_bytes = take_number(in);
	for (i = 0; i < SW_STEP_AMOUNTS; i++)
		print->amount[i] = take_number(in);
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		print->limited[i] = take_share(in);
	print->phase_count = take_size(in, SW_FINGERPRINT_PHASES);
	for (i = 0; i < print->phase_count; i++) {
		print->phases[i].resource =
			(enum sw_limited_by)take_size(in, SW_LIMITED_BY_NONE);
		print->phases[i].share = take_share(in);
	}
	take_environment(in, &print->environment);
}

static void take_exits(struct in *in, struct sw_fingerprint_program *program)
{
	size_t count = take_size(in, SW_EXIT_KINDS_MAX), i;

	for (i = 0; i < count && !in->is_bad; i++) {
		size_t kind = take_size(in, SW_EXIT_KINDS - 1);

		sw_fingerprint_add_exit(program, kind >= SW_EXIT_SIGNAL,
					kind % SW_EXIT_SIGNAL, take_plain(in));
	}
}

static void take_programs(struct in *in, struct sw_fingerprint *print)
{
	struct sw_fingerprint_program program;
	char name[SW_FINGERPRINT_NAME];
	size_t i;

	for (;;) {
		take_text(in, name, sizeof(name));
		if (in->is_bad || !*name)
			break;
		sw_fingerprint_program_init(&program, name);
		for (i = 0; i < SW_PROGRAM_AMOUNTS; i++)
			program.amount[i] = take_number(in);
		program.started_usec = take_number(in);
		program.failed_usec = take_number(in);
		program.exited_ok = take_number(in);
		take_exits(in, &program);
		if (print->program_count == SW_FINGERPRINT_PROGRAMS ||
		    sw_fingerprint_find(print, name)) {
			in->is_bad = true;
			break;
		}
		print->programs[print->program_count++] = program;
	}
	print->more_programs = take_plain(in);
}

int sw_fingerprint_decode(struct sw_fingerprint *print, const uint8_t *bytes,
			  size_t size)
{
	struct in in = { bytes, bytes + size, size > SW_FINGERPRINT_BYTES };
	unsigned version = take_byte(&in);

	sw_fingerprint_init(print);
	if (!in.is_bad && version > VERSION) {
		errno = ENOTSUP;
		return -1;
	}
	in.is_bad |= version != VERSION;
	take_step(&in, print);
	take_programs(&in, print);
	if (!in.is_bad && in.at == in.end)
		return 0;
	sw_fingerprint_init(print);
	errno = EINVAL;
	return -1;
}
