/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Network interfaces of the node: /proc/net/dev, and link speeds.  Out of
 * process, since reading the speed can call a driver.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recorder/kernel/kernlines.h"
#include "recorder/sources/source.h"

enum {
	INTERFACES_MAX = 64,	/* a node with containers has hundreds */
	NAME_SIZE = 32,		/* IFNAMSIZ is 16 */
};

/* Fields of /proc/net/dev, then columns from elsewhere */
enum {
	RX_BYTES, RX_PACKETS, RX_ERRS, RX_DROP,
	TX_BYTES, TX_PACKETS, TX_ERRS, TX_DROP,
	SPEED, COLUMNS,
};

static const struct sw_column columns[COLUMNS] = {
	[RX_BYTES] = { "rx_bytes", "bytes", SW_KIND_COUNTER,
		       "Bytes received." },
	[RX_PACKETS] = { "rx_packets", "count", SW_KIND_COUNTER,
			 "Packets received." },
	[RX_ERRS] = { "rx_errors", "count", SW_KIND_COUNTER,
		      "Packets received with an error." },
	[RX_DROP] = { "rx_dropped", "count", SW_KIND_COUNTER,
		      "Packets received and dropped." },
	[TX_BYTES] = { "tx_bytes", "bytes", SW_KIND_COUNTER, "Bytes sent." },
	[TX_PACKETS] = { "tx_packets", "count", SW_KIND_COUNTER,
			 "Packets sent." },
	[TX_ERRS] = { "tx_errors", "count", SW_KIND_COUNTER,
		      "Packets not sent because of an error." },
	[TX_DROP] = { "tx_dropped", "count", SW_KIND_COUNTER,
		      "Packets dropped instead of sent." },
	[SPEED] = { "speed_bits_per_sec", "bit/s", SW_KIND_GAUGE,
		    "Speed of the link, each way." },
};

/* Index of each column in a line of 16 numbers */
static const unsigned char field_of[SPEED] = {
	[RX_BYTES] = 0, [RX_PACKETS] = 1, [RX_ERRS] = 2, [RX_DROP] = 3,
	[TX_BYTES] = 8, [TX_PACKETS] = 9, [TX_ERRS] = 10, [TX_DROP] = 11,
};

enum { FIELDS = 16 };

struct state {
	struct sw_kernfile file;
	struct sw_kernlines lines;
	int sys_fd;
	size_t count;
	char name[INTERFACES_MAX][NAME_SIZE];
};

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	struct state *state = memory;

	state->sys_fd = target->sys_fd;
	return sw_kernfile_open(&state->file, target->proc_fd, "net/dev");
}

/* Return the index of a name, adding new ones; SW_MISSING: no room. */
static uint64_t index_of(struct state *state, const char *name)
{
	size_t i;

	for (i = 0; i < state->count; i++) {
		if (!strcmp(state->name[i], name))
			return i;
	}
	if (i == INTERFACES_MAX)
		return SW_MISSING;
	snprintf(state->name[i], NAME_SIZE, "%s", name);
	state->count++;
	return i;
}

/* Missing if the link is down or the interface has no speed */
static uint64_t read_speed(const struct state *state, const char *name)
{
	char path[64], text[32];
	const char *p = text;
	uint64_t mbit;

	snprintf(path, sizeof(path), "class/net/%s/speed", name);
	if (sw_kernfile_slurp(state->sys_fd, path, text, sizeof(text)) !=
		    SW_READ_OK ||
	    sw_kern_parse_u64(&p, &mbit) < 0 || *p != '\n' || mbit == 0 ||
	    mbit > UINT32_MAX - 1)
		return SW_MISSING;
	return mbit * 1000000;
}

/* " eth0: 1234 5 0 ...": cut off the name; NULL if there is none. */
static char *take_name(char **line)
{
	char *name = *line, *colon;

	while (*name == ' ')
		name++;
	colon = strrchr(name, ':');
	if (!colon || colon == name || colon - name >= NAME_SIZE ||
	    memchr(name, '/', (size_t)(colon - name)) || *name == '.')
		return NULL;
	*colon = '\0';
	*line = colon + 1;
	return name;
}

static int take_line(struct state *state, char *line, struct sw_rows *rows)
{
	uint64_t field[FIELDS], *values;
	const char *name = take_name(&line), *p = line;
	size_t i;

	if (!name || sw_kern_next_u64s(&p, field, FIELDS) < 0)
		return -1;
	values = sw_rows_add(rows, index_of(state, name));
	if (!values)
		return 0;
	for (i = 0; i < SPEED; i++)
		values[i] = field[field_of[i]];
	values[SPEED] = read_speed(state, name);
	return 0;
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       struct sw_rows *rows)
{
	struct state *state = memory;
	enum sw_read_status status;
	unsigned number = 0;
	char *line;

	(void)target;
	sw_kernlines_begin(&state->lines, &state->file);
	for (;;) {
		status = sw_kernlines_next(&state->lines, &line);
		if (status != SW_READ_OK || !line)
			return status;
		/* Skip two header lines; the columns have never changed. */
		if (number++ < 2)
			continue;
		if (take_line(state, line, rows) < 0)
			return SW_READ_GARBAGE;
	}
}

static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	struct state *state = memory;
	char path[64];
	bool is_device;

	if (index >= state->count)
		return false;
	snprintf(subject->kind, sizeof(subject->kind), "interface");
	snprintf(subject->name, sizeof(subject->name), "%s",
		 state->name[index]);
	snprintf(path, sizeof(path), "class/net/%s/device",
		 state->name[index]);
	/* Bridges and veths carry the same traffic as devices. */
	is_device = state->sys_fd >= 0 &&
		    faccessat(state->sys_fd, path, F_OK, 0) == 0;
	snprintf(subject->detail, sizeof(subject->detail), "%s",
		 !strcmp(subject->name, "lo") ? "loopback" :
		 is_device ? "device" : "virtual");
	return true;
}

const struct sw_source sw_src_interface = {
	.name = "interface",
	.backend = "proc.net",
	.scope = SW_SCOPE_NODE,
	.cadence = SW_EVERY_TENTH,
	.is_out_of_process = true,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct state),
	.file_count = 1,
	.open = open_source,
	.rows_max = INTERFACES_MAX,
	.read_rows = read_source,
	.describe = describe,
	.absence = "no network interfaces in /proc/net/dev",
};
