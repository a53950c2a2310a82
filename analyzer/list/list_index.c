/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keep the lines of "stepwell list" in the index. */
#include "analyzer/list/list_index.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/history/history.h"
#include "analyzer/keyed/keyed.h"
#include "analyzer/print/json.h"
#include "analyzer/settings/settings.h"

/* Add a path and its file as it is now, if there is one. */
static uint64_t add_file(uint64_t hash, const char *path)
{
	struct stat status = { 0 };
	uint64_t as_is[4] = { 0 };

	if (!path)
		return sw_fnv(hash, "", 1);
	if (stat(path, &status) == 0) {
		as_is[0] = (uint64_t)status.st_ino;
		as_is[1] = (uint64_t)status.st_size;
		as_is[2] = (uint64_t)status.st_mtim.tv_sec;
		as_is[3] = (uint64_t)status.st_mtim.tv_nsec;
	}
	hash = sw_fnv(hash, path, strlen(path) + 1);
	return sw_fnv(hash, as_is, sizeof(as_is));
}

/*
 * Lines rest on the settings and on the past of a run.  The user's own history
 * is not part of it: runs that are added as they end are in the past of none
 * that is listed.  "stepwell import" adds others, and forgets the index.
 */
struct sw_index *sw_list_index_open(const struct sw_settings *settings)
{
	const struct sw_places *places = sw_settings_places(settings);
	const char *folder = sw_settings_user_history_dir(settings);
	char own[PATH_MAX] = "", beside[PATH_MAX] = "", context[32];
	uint64_t hash = add_file(SW_FNV_FIRST, sw_settings_file(settings));
	struct sw_error error;

	sw_history_path(sw_settings_history_file(settings), false, own,
			sizeof(own), &error);
	if (folder)
		snprintf(beside, sizeof(beside), "%s/%lu.sqlite", folder,
			 (unsigned long)geteuid());
	hash = sw_fnv(hash, own, strlen(own) + 1);
	hash = add_file(hash, beside);
	if (places && places->profile_dir)
		hash = sw_fnv(hash, places->profile_dir,
			      strlen(places->profile_dir));
	snprintf(context, sizeof(context), "%llx", (unsigned long long)hash);
	return sw_index_open(context);
}

uint64_t sw_list_stamp(const struct sw_jobfiles_group *group, bool asks_sacct)
{
	return sw_index_combine(group->stamp,
				(group->is_disputed ? 3u : 1u) +
				(asks_sacct ? 1u : 0u));
}

/* The day rests on the time zone of today. */
static bool is_kept(unsigned id)
{
	return id != SW_LIST_DAY;
}

/* With its NUL; an empty one is missing. */
static void pack_text(struct sw_pack *pack, const char *text)
{
	sw_pack_text(pack, text, text ? strlen(text) + 1 : 0);
}

void sw_list_keep(struct sw_index *index, uint64_t stamp,
		  const struct sw_list_row *row)
{
	struct sw_pack pack = { 0 };
	uint64_t bits;
	unsigned id;

	for (id = 0; id < SW_LIST_COLUMNS; id++) {
		if (sw_list_is_text(id) && is_kept(id)) {
			pack_text(&pack, row->values[id].text);
		} else if (is_kept(id)) {
			memcpy(&bits, &row->values[id], sizeof(bits));
			sw_pack_number(&pack, bits);
		}
	}
	pack_text(&pack, row->parts ? sw_json_line(row->parts) : NULL);
	sw_index_add(index, stamp, &pack);
}

static const char *take_text(struct sw_unpack *entry)
{
	size_t size;
	const char *text = sw_unpack_text(entry, &size);

	return size && text[size - 1] == '\0' ? text : NULL;
}

bool sw_list_recall(struct sw_index *index, uint64_t stamp,
		    struct sw_list_row *row, bool has_parts)
{
	struct sw_unpack entry;
	const char *parts;
	uint64_t bits;
	unsigned id;

	if (!sw_index_find(index, stamp, &entry))
		return false;
	row->is_borrowed = true;
	for (id = 0; id < SW_LIST_COLUMNS; id++) {
		if (sw_list_is_text(id) && is_kept(id)) {
			row->values[id].text = (char *)take_text(&entry);
		} else if (is_kept(id)) {
			bits = sw_unpack_number(&entry);
			memcpy(&row->values[id], &bits, sizeof(bits));
		}
	}
	parts = take_text(&entry);
	if (has_parts && parts)
		row->parts = sw_json_parse(parts);
	return !entry.is_bad;
}
