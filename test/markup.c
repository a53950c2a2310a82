/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A strict parser of markup: XML's rules for elements, and nothing else. */
#include "test/markup.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 32, NAME_SIZE = 32 };

static const char letters[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:";

struct walk {
	const char *at;
	char open[DEPTH_MAX][NAME_SIZE];
	size_t depth;
};

static char fault[160];

static const char *blame(const char *what, const char *at)
{
	snprintf(fault, sizeof(fault), "%s: %.80s", what, at);
	return fault;
}

static const char *check_entity(struct walk *walk)
{
	static const char *const known[] = { "&amp;", "&lt;", "&gt;",
					     "&quot;", "&#39;" };
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strncmp(walk->at, known[i], strlen(known[i]))) {
			walk->at += strlen(known[i]);
			return NULL;
		}
	}
	return blame("no such entity", walk->at);
}

/* Parse name="value", checking the quotes first. */
static const char *check_attribute(struct walk *walk)
{
	const char *begin = walk->at;
	const char *what = NULL;

	walk->at += strspn(walk->at, letters);
	if (walk->at == begin || strncmp(walk->at, "=\"", 2) != 0)
		return blame("attribute", begin);
	if (!strncmp(begin, "on", 2) || !strncmp(begin, "href", 4) ||
	    !strncmp(begin, "src", 3))
		return blame("acts or fetches", begin);
	for (walk->at += 2; *walk->at != '"' && !what;) {
		if (!*walk->at || *walk->at == '<')
			what = blame("value", begin);
		else if (*walk->at == '&')
			what = check_entity(walk);
		else
			walk->at++;
	}
	walk->at++;
	return what;
}

static const char *check_end(struct walk *walk)
{
	const char *name = walk->at + 2;
	size_t length = strspn(name, letters);

	if (!walk->depth || name[length] != '>' ||
	    strlen(walk->open[walk->depth - 1]) != length ||
	    strncmp(walk->open[walk->depth - 1], name, length) != 0)
		return blame("ends what is not open", walk->at);
	walk->depth--;
	walk->at = name + length + 1;
	return NULL;
}

static const char *check_begin(struct walk *walk)
{
	const char *begin = walk->at, *what = NULL;
	size_t length = strspn(++walk->at, letters);

	if (!length || length >= NAME_SIZE || walk->depth == DEPTH_MAX ||
	    !strncmp(walk->at, "script", 6))
		return blame("element", begin);
	snprintf(walk->open[walk->depth++], NAME_SIZE, "%.*s", (int)length,
		 walk->at);
	walk->at += length;
	while (*walk->at == ' ' && !what) {
		walk->at++;
		what = check_attribute(walk);
	}
	if (!what && !strncmp(walk->at, "/>", 2)) {
		walk->depth--;
		walk->at++;
	}
	if (!what && *walk->at++ != '>')
		what = blame("tag", begin);
	return what;
}

static const char *check_text(struct walk *walk)
{
	const unsigned char byte = (unsigned char)*walk->at;

	if ((byte < 0x20 && byte != '\n') || byte == 0x7f)
		return blame("control", walk->at);
	walk->at++;
	return NULL;
}

static const char *check_fetches(const char *page)
{
	static const char *const words[] = { "url(", "@import" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(page, words[i]))
			return blame("fetches", strstr(page, words[i]));
	}
	return NULL;
}

const char *markup_fault(const char *page)
{
	static const char doctype[] = "<!DOCTYPE html>";
	struct walk walk = { .at = page + strlen(doctype) };
	const char *what = check_fetches(page);

	if (strncmp(page, doctype, strlen(doctype)) != 0)
		return blame("doctype", page);
	while (*walk.at && !what) {
		if (*walk.at == '&')
			what = check_entity(&walk);
		else if (walk.at[0] == '<' && walk.at[1] == '/')
			what = check_end(&walk);
		else if (*walk.at == '<')
			what = check_begin(&walk);
		else
			what = check_text(&walk);
	}
	return what || !walk.depth ? what : blame("open", walk.open[0]);
}

const char *markup_body(const char *page)
{
	const char *what = markup_fault(page), *body = strstr(page, "<main>");

	ck_assert_msg(!what, "%s", what);
	ck_assert_ptr_nonnull(body);
	return body;
}
