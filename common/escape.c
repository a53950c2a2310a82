/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make untrusted text safe to display. */
#include "common/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A range of code points, inclusive. */
struct range {
	uint32_t first, last;
};

/*
 * Code points that change how the text around them is displayed: controls, soft
 * hyphen, zero-width and bidirectional marks, separators, interlinear and
 * language tags (Unicode general categories Cc, Cf, Zl, Zp).
 */
static const struct range unprintable[] = {
	{ 0x00, 0x1f },	      { 0x7f, 0x9f },	    { 0xad, 0xad },
	{ 0x61c, 0x61c },     { 0x180e, 0x180e },   { 0x200b, 0x200f },
	{ 0x2028, 0x202e },   { 0x2060, 0x206f },   { 0xd800, 0xdfff },
	{ 0xfeff, 0xfeff },   { 0xfff9, 0xfffb },   { 0xfffe, 0xffff },
	{ 0xe0000, 0xe0fff }, { 0x110000, UINT32_MAX },
};

static bool is_printable(uint32_t code)
{
	size_t i;

	for (i = 0; i < sizeof(unprintable) / sizeof(unprintable[0]); i++) {
		if (code >= unprintable[i].first && code <= unprintable[i].last)
			return false;
	}
	return true;
}

/*
 * Return the length of the well-formed UTF-8 character at text (RFC 3629), with
 * its code in *code; 0 if there is none.
 */
static size_t utf8_decode(const unsigned char *text, uint32_t *code)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t i, length;

	if (text[0] < 0x80)
		length = 1, *code = text[0];
	else if ((text[0] & 0xe0) == 0xc0)
		length = 2, *code = text[0] & 0x1fu;
	else if ((text[0] & 0xf0) == 0xe0)
		length = 3, *code = text[0] & 0x0fu;
	else if ((text[0] & 0xf8) == 0xf0)
		length = 4, *code = text[0] & 0x07u;
	else
		return 0;
	for (i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (text[i] & 0x3fu);
	}
	return *code < smallest[length] ? 0 : length;
}

static void put_hex(char *out, unsigned char byte)
{
	static const char digit[] = "0123456789abcdef";

	out[0] = '\\';
	out[1] = 'x';
	out[2] = digit[byte >> 4];
	out[3] = digit[byte & 15];
}

static char *escape(char *buf, size_t size, const char *text, bool is_utf8)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t used = 0, length;
	uint32_t code;

	if (size == 0)
		return buf;
	while (*p) {
		length = utf8_decode(p, &code);
		if (length && is_printable(code) && (is_utf8 || length == 1)) {
			if (used + length >= size)
				break;
			memcpy(buf + used, p, length);
			used += length;
			p += length;
			continue;
		}
		if (used + 4 >= size)
			break;
		put_hex(buf + used, *p++);
		used += 4;
	}
	buf[used] = '\0';
	return buf;
}

char *sw_escape_terminal(char *buf, size_t size, const char *text)
{
	return escape(buf, size, text, true);
}

char *sw_escape_ascii(char *buf, size_t size, const char *text)
{
	return escape(buf, size, text, false);
}
