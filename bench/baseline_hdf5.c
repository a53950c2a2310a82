/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles in HDF5, as Slurm lays them out.
 *
 * Fails if the library does; its own messages are silenced.
 */
#include "bench/baseline_hdf5.h"

#include <errno.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Slurm's HDF5_CHUNK_SIZE and HDF5_COMPRESS. */
enum {
	CHUNK_ROWS = 10,
	DEFLATE_LEVEL = 0,
	TIME_COLUMNS = 2,	/* ElapsedTime and EpochTime */
	NAME_SIZE = 64,
};

static const char node_group[] = "/node1";
static const char task_group[] = "Tasks";

struct hdf5_baseline {
	hid_t file;
	hid_t node;
	hid_t tasks_group;
	uint64_t task_count;
	uint64_t column_count;
	uint64_t start_epoch_seconds;
	uint64_t *row;		/* times, then columns */
	hid_t tables[];
};

static int put_int(hid_t parent, const char *name, int value)
{
	const hsize_t dimension = 1;
	hid_t space = H5Screate_simple(1, &dimension, NULL);
	hid_t attribute = H5Acreate(parent, name, H5T_NATIVE_INT, space,
				    H5P_DEFAULT, H5P_DEFAULT);
	herr_t result = H5Awrite(attribute, H5T_NATIVE_INT, &value);

	H5Sclose(space);
	H5Aclose(attribute);
	return result < 0 ? -1 : 0;
}

static int put_string(hid_t parent, const char *name, const char *value)
{
	const hsize_t dimension = 1;
	hid_t type = H5Tcopy(H5T_C_S1);
	hid_t space = H5Screate_simple(1, &dimension, NULL);
	hid_t attribute;
	herr_t result;

	H5Tset_size(type, strlen(value));
	H5Tset_strpad(type, H5T_STR_NULLTERM);
	attribute = H5Acreate(parent, name, type, space, H5P_DEFAULT,
			      H5P_DEFAULT);
	result = H5Awrite(attribute, type, value);
	H5Sclose(space);
	H5Tclose(type);
	H5Aclose(attribute);
	return result < 0 ? -1 : 0;
}

static int describe_node(const struct hdf5_baseline *baseline)
{
	char start[NAME_SIZE] = "";
	time_t seconds = (time_t)baseline->start_epoch_seconds;
	struct tm parts;

	if (gmtime_r(&seconds, &parts) != NULL)
		strftime(start, sizeof(start), "%a %b %d %H:%M:%S %Y",
			 &parts);
	if (put_int(baseline->node, "Node Index", 0) < 0 ||
	    put_string(baseline->node, "Node Name", node_group + 1) < 0 ||
	    put_int(baseline->node, "Number of Tasks",
		    (int)baseline->task_count) < 0 ||
	    put_int(baseline->node, "CPUs per Task", 1) < 0 ||
	    put_string(baseline->node, "Start Time", start) < 0)
		return -1;
	return 0;
}

/* A numeric prefix sorts the names; those of the times sort before them. */
static int insert_columns(hid_t type, const struct sw_column *columns,
			  uint64_t column_count, enum hdf5_names names)
{
	char name[SW_NAME_SIZE_MAX + 8];

	for (uint64_t i = 0; i < column_count; i++) {
		if (names == HDF5_NAMES_IN_ORDER)
			snprintf(name, sizeof(name), "c%02llu.%s",
				 (unsigned long long)i, columns[i].name);
		else
			snprintf(name, sizeof(name), "%s", columns[i].name);
		if (H5Tinsert(type, name,
			      (TIME_COLUMNS + i) * sizeof(uint64_t),
			      H5T_NATIVE_UINT64) < 0)
			return -1;
	}
	return 0;
}

static hid_t make_type(const struct sw_column *columns, uint64_t column_count,
		       enum hdf5_names names)
{
	size_t size = (TIME_COLUMNS + column_count) * sizeof(uint64_t);
	hid_t type = H5Tcreate(H5T_COMPOUND, size);

	if (type < 0 ||
	    H5Tinsert(type, "ElapsedTime", 0, H5T_NATIVE_UINT64) < 0 ||
	    H5Tinsert(type, "EpochTime", sizeof(uint64_t),
		      H5T_NATIVE_UINT64) < 0 ||
	    insert_columns(type, columns, column_count, names) < 0)
		return -1;
	return type;
}

static int make_tables(struct hdf5_baseline *baseline,
		       const struct sw_column *columns, enum hdf5_names names)
{
	for (uint64_t i = 0; i < baseline->task_count; i++) {
		hid_t type = make_type(columns, baseline->column_count,
				       names);
		char name[NAME_SIZE];

		snprintf(name, sizeof(name), "%llu", (unsigned long long)i);
		if (type < 0)
			return -1;
		baseline->tables[i] =
			H5PTcreate_fl(baseline->tasks_group, name, type,
				      CHUNK_ROWS, DEFLATE_LEVEL);
		H5Tclose(type);
		if (baseline->tables[i] < 0)
			return -1;
	}
	return 0;
}

static struct hdf5_baseline *allocate(uint64_t task_count,
				      uint64_t column_count)
{
	struct hdf5_baseline *baseline;

	baseline = calloc(1, sizeof(*baseline) +
			  task_count * sizeof(baseline->tables[0]));
	if (baseline == NULL)
		return NULL;
	baseline->row = calloc(TIME_COLUMNS + column_count,
			       sizeof(*baseline->row));
	if (baseline->row == NULL) {
		free(baseline);
		return NULL;
	}
	baseline->task_count = task_count;
	baseline->column_count = column_count;
	baseline->file = -1;
	baseline->node = -1;
	baseline->tasks_group = -1;
	for (uint64_t i = 0; i < task_count; i++)
		baseline->tables[i] = -1;
	return baseline;
}

static int make_groups(struct hdf5_baseline *baseline)
{
	baseline->node = H5Gcreate(baseline->file, node_group, H5P_DEFAULT,
				   H5P_DEFAULT, H5P_DEFAULT);
	if (baseline->node < 0 || describe_node(baseline) < 0)
		return -1;
	baseline->tasks_group = H5Gcreate(baseline->node, task_group,
					  H5P_DEFAULT, H5P_DEFAULT,
					  H5P_DEFAULT);
	return baseline->tasks_group < 0 ? -1 : 0;
}

struct hdf5_baseline *hdf5_baseline_open(const char *path,
					 uint64_t task_count,
					 const struct sw_column *columns,
					 uint64_t column_count,
					 enum hdf5_names names,
					 struct sw_error *error)
{
	struct hdf5_baseline *baseline = allocate(task_count, column_count);

	if (baseline == NULL) {
		sw_error_errno(error, "HDF5 baseline");
		return NULL;
	}
	H5Eset_auto(H5E_DEFAULT, NULL, NULL);
	baseline->start_epoch_seconds = (uint64_t)time(NULL);
	baseline->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT,
				   H5P_DEFAULT);
	if (baseline->file < 0)
		sw_error_set(error, "HDF5 cannot create the file");
	else if (make_groups(baseline) < 0)
		sw_error_set(error, "HDF5 cannot make the groups");
	else if (make_tables(baseline, columns, names) < 0)
		sw_error_set(error, "HDF5 cannot make the tables");
	else
		return baseline;
	hdf5_baseline_close(baseline);
	return NULL;
}

int hdf5_baseline_append(struct hdf5_baseline *baseline, uint64_t task,
			 uint64_t epoch_seconds, const uint64_t *values)
{
	if (task >= baseline->task_count) {
		errno = EINVAL;
		return -1;
	}
	baseline->row[0] = epoch_seconds - baseline->start_epoch_seconds;
	baseline->row[1] = epoch_seconds;
	memcpy(baseline->row + TIME_COLUMNS, values,
	       baseline->column_count * sizeof(*values));
	if (H5PTappend(baseline->tables[task], 1, baseline->row) < 0) {
		errno = EIO;
		return -1;
	}
	return 0;
}

int hdf5_baseline_close(struct hdf5_baseline *baseline)
{
	bool has_failed = false;

	if (baseline == NULL)
		return 0;
	for (uint64_t i = 0; i < baseline->task_count; i++)
		if (baseline->tables[i] >= 0)
			has_failed |= H5PTclose(baseline->tables[i]) < 0;
	if (baseline->tasks_group >= 0)
		has_failed |= H5Gclose(baseline->tasks_group) < 0;
	if (baseline->node >= 0)
		has_failed |= H5Gclose(baseline->node) < 0;
	if (baseline->file >= 0)
		has_failed |= H5Fclose(baseline->file) < 0;
	free(baseline->row);
	free(baseline);
	if (has_failed)
		errno = EIO;
	return has_failed ? -1 : 0;
}

struct decoder {
	hid_t group;
	uint64_t width;		/* numbers per row, with times */
	uint64_t rows_at_once;
	uint64_t *rows;
	hdf5_baseline_row_fn *row;
	void *data;
};

static int decode_packets(const struct decoder *decoder, hid_t table,
			  uint64_t task, uint64_t row_count)
{
	for (uint64_t from = 0; from < row_count;) {
		uint64_t now = row_count - from;

		if (now > decoder->rows_at_once)
			now = decoder->rows_at_once;
		if (H5PTread_packets(table, from, now, decoder->rows) < 0)
			return -1;
		for (uint64_t i = 0; i < now; i++) {
			const uint64_t *row =
				decoder->rows + i * decoder->width;

			if (decoder->row(decoder->data, task, from + i, row[1],
					 row + TIME_COLUMNS) != 0)
				return -1;
		}
		from += now;
	}
	return 0;
}

static int64_t decode_task(const struct decoder *decoder, uint64_t task)
{
	char name[NAME_SIZE];
	hsize_t row_count = 0;
	hid_t table;
	int64_t result = -1;

	snprintf(name, sizeof(name), "%llu", (unsigned long long)task);
	table = H5PTopen(decoder->group, name);
	if (table < 0)
		return -1;
	if (H5PTget_num_packets(table, &row_count) >= 0 &&
	    decode_packets(decoder, table, task, row_count) == 0)
		result = (int64_t)row_count;
	H5PTclose(table);
	return result;
}

static int64_t decode_tasks(const struct decoder *decoder,
			    uint64_t task_count)
{
	int64_t total = 0;

	for (uint64_t i = 0; i < task_count; i++) {
		int64_t count = decode_task(decoder, i);

		if (count < 0)
			return -1;
		total += count;
	}
	return total;
}

int64_t hdf5_baseline_decode(const char *path, uint64_t task_count,
			     uint64_t column_count, uint64_t rows_at_once,
			     hdf5_baseline_row_fn *row, void *data,
			     struct sw_error *error)
{
	struct decoder decoder = {
		.width = TIME_COLUMNS + column_count,
		.rows_at_once = rows_at_once,
		.row = row,
		.data = data,
	};
	char group[NAME_SIZE];
	int64_t total = -1;
	hid_t file;

	H5Eset_auto(H5E_DEFAULT, NULL, NULL);
	snprintf(group, sizeof(group), "%s/%s", node_group, task_group);
	decoder.rows = calloc(rows_at_once * decoder.width,
			      sizeof(*decoder.rows));
	if (decoder.rows == NULL)
		return sw_error_errno(error, "HDF5 baseline");
	file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	if (file < 0) {
		sw_error_set(error, "HDF5 cannot open the file");
		goto out;
	}
	decoder.group = H5Gopen(file, group, H5P_DEFAULT);
	if (decoder.group >= 0) {
		total = decode_tasks(&decoder, task_count);
		H5Gclose(decoder.group);
	}
	if (total < 0)
		sw_error_set(error, "HDF5 cannot read the tasks");
	H5Fclose(file);
out:
	free(decoder.rows);
	return total;
}
