/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Track files that a step writes and reads back. */
#include "recorder/waits/scratch_files.h"

static struct sw_scratch_file *oldest(struct sw_scratch_files *files)
{
	struct sw_scratch_file *found = &files->file[0];
	size_t i;

	for (i = 1; i < files->count; i++) {
		if (files->file[i].turn < found->turn)
			found = &files->file[i];
	}
	return found;
}

static struct sw_scratch_file *find(struct sw_scratch_files *files,
				    const struct sw_scratch_sight *sight)
{
	struct sw_scratch_file *file;
	size_t i;

	for (i = 0; i < files->count; i++) {
		file = &files->file[i];
		if (file->inode == sight->inode &&
		    file->device == sight->device)
			return file;
	}
	file = files->count < SW_SCRATCH_FILES ?
		       &files->file[files->count++] : oldest(files);
	*file = (struct sw_scratch_file){ .inode = sight->inode,
					  .device = sight->device };
	return file;
}

/* Add only what is not yet in the sums. */
static void put(struct sw_scratch_sums *sums, struct sw_scratch_file *file,
		const struct sw_scratch_sight *sight)
{
	uint64_t more = sight->bytes > file->bytes ?
				sight->bytes - file->bytes : 0;

	file->bytes += more;
	file->usec += sight->usec;
	if (file->is_read_back) {
		sums->bytes += more;
		sums->usec += sight->usec;
	} else if (file->is_written && sight->access == SW_ACCESS_READ) {
		file->is_read_back = true;
		sums->files++;
		sums->bytes += file->bytes;
		sums->usec += file->usec;
	}
	file->is_written |= sight->access == SW_ACCESS_WRITE;
}

void sw_scratch_see(struct sw_scratch_files *files,
		    struct sw_scratch_sums *sums,
		    const struct sw_scratch_sight *sight)
{
	struct sw_scratch_file *file = find(files, sight);

	file->turn = ++files->turns;
	put(sums, file, sight);
}
