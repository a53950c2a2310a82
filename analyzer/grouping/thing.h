/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one run of a group processed, by its names: all attempts at it have the
 * same.  Pure; names are claims.
 */
#ifndef SW_ANALYZER_THING_H
#define SW_ANALYZER_THING_H

enum { SW_THING_SIZE = 256 };

struct sw_thing {
	char key[SW_THING_SIZE];  /* "": not known */
	const char *what;	  /* "sample", "array index"; "" */
	char name[SW_THING_SIZE]; /* "S7" */
};

/*
 * name is the job's or task's own, unfolded; job its id, "123_7"; task the
 * workflow and its task with the tag, "w1:align (S7)", or "".  Never NULL.
 */
void sw_thing_find(struct sw_thing *thing, const char *name, const char *job,
		   const char *task);

#endif
