/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fold a group's name: remove what differs between samples (numbers after
 * letters, chromosomes, accessions), but keep what stands for the amount or
 * stage of work ("t16", "k21", "step2").
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "analyzer/grouping/job_group.h"
#include "common/text.h"

/*
 * Letters before a number that is a size, a requested count, a stage or a
 * version.  Up to two letters only count in lower case: "t4" is threads and
 * "hg38" a genome, but "T4" and "HG002" are samples.
 */
static const char *const parameters[] = {
	"c",	 "d",	  "g",	     "h",	"j",	 "k",	   "m",
	"n",	 "p",	  "t",	     "v",	"w",	 "x",	   "y",
	"bs",	 "core",  "cores",   "cpu",	"cpus",	 "depth",  "dim",
	"gpu",	 "gpus",  "grch",    "grid",	"hg",	 "iter",   "kmer",
	"kmers", "len",	  "length",  "level",	"mem",	 "mm",	   "mpi",
	"node",	 "nodes", "np",	     "nproc",	"nt",	 "ntasks", "omp",
	"phase", "proc",  "procs",   "ram",	"ranks", "res",	   "scale",
	"size",	 "stage", "step",    "steps",	"tasks", "thread", "threads",
	"thr",	 "ver",	  "version", "workers", "year",	 "yr",
};

/* Part of a name: letters, followed by a number. */
struct part {
	const char *at;
	size_t letters, number;
};

static bool is_letter(char c)
{
	return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* "#" is a number removed by sw_fold_name(). */
static bool is_number(char c)
{
	return isdigit((unsigned char)c) || c == '#';
}

static size_t word_length(const char *text)
{
	size_t length = 0;

	while (is_letter(text[length]) || is_number(text[length]))
		length++;
	return length;
}

static bool is_word(const char *word, size_t length, const char *const *list,
		    size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (strlen(list[i]) == length &&
		    !strncasecmp(word, list[i], length))
			return true;
	}
	return false;
}

#define IS_WORD(word, length, list)                                            \
	is_word(word, length, list, sizeof(list) / sizeof(*list))

static bool is_parameter(const struct part *part)
{
	enum { FEW_LETTERS = 2 };

	if (part->letters <= FEW_LETTERS && isupper((unsigned char)*part->at))
		return false;
	return IS_WORD(part->at, part->letters, parameters);
}

/* "NA12878", "SRR123456": letters and number identify the sample. */
static bool is_accession(const struct part *part)
{
	enum { LETTERS_MIN = 2, LETTERS_MAX = 4, DIGITS_MIN = 3 };
	size_t i;

	for (i = 0; i < part->letters; i++) {
		if (!isupper((unsigned char)part->at[i]))
			return false;
	}
	return part->letters >= LETTERS_MIN && part->letters <= LETTERS_MAX &&
	       (part->number >= DIGITS_MIN || part->at[part->letters] == '#');
}

/* Length of the common part of "chrX" and other chromosomes; 0 if none. */
static size_t chromosome_length(const char *word, size_t length)
{
	static const char *const names[] = { "chr", "chrom", "chromosome", "" };
	static const char *const letters[] = { "X", "Y", "M", "MT" };
	size_t i, j, head, all;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		head = strlen(names[i]);
		for (j = 0; j < sizeof(letters) / sizeof(letters[0]); j++) {
			all = head + strlen(letters[j]);
			if (all == length &&
			    !strncasecmp(word, names[i], head) &&
			    !strncmp(word + head, letters[j], length - head))
				return head;
		}
	}
	return length;
}

struct out {
	char *buf;
	size_t size;
	bool has_changed;
};

static void put(struct out *out, const char *text, size_t length)
{
	sw_text_add(out->buf, out->size, "%.*s", (int)length, text);
}

static void put_any(struct out *out)
{
	sw_text_add(out->buf, out->size, "*");
	out->has_changed = true;
}

static struct part part_at(const char *text, const char *end)
{
	struct part part = { text, 0, 0 };

	while (text < end && is_letter(*text))
		text++, part.letters++;
	while (text < end && is_number(*text))
		text++, part.number++;
	return part;
}

/* A number followed by letters is a size ("8gb", "10x") or part of a name. */
static void put_numbered(struct out *out, const char *word, size_t length)
{
	const char *end = word + length;
	struct part part;

	for (; word < end; word += part.letters + part.number) {
		part = part_at(word, end);
		if (is_parameter(&part)) {
			put(out, word, part.letters + part.number);
			continue;
		}
		if (!is_accession(&part))
			put(out, word, part.letters);
		put_any(out);
	}
}

static void put_word(struct out *out, const char *word, size_t length)
{
	size_t head;

	if (is_number(word[length - 1])) {
		put_numbered(out, word, length);
		return;
	}
	head = chromosome_length(word, length);
	put(out, word, head);
	if (head < length)
		put_any(out);
}

/* Keep the user, and the programs or step after the name. */
bool sw_family_name(char *buf, size_t size, const char *group)
{
	struct out out = { buf, size, false };
	const char *slash = strchr(group, '/');
	const char *at = slash ? slash + 1 : group;
	const char *end = at + strcspn(at, ":");
	size_t length;

	buf[0] = '\0';
	/* Truncated names could be equal by accident. */
	if (strlen(group) >= size)
		return false;
	put(&out, group, (size_t)(at - group));
	while (at < end) {
		length = word_length(at);
		if (length)
			put_word(&out, at, length);
		else
			put(&out, at, length = 1);
		at += length;
	}
	put(&out, at, strlen(at));
	return out.has_changed;
}
