/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ports of InfiniBand, RoCE and Omni-Path adapters, if they have the counters
 * of the InfiniBand Architecture Specification, volume 1, 16.1.3
 * (PortCounters): of the whole node, including RDMA.  Out of process, since
 * reads query the firmware.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recorder/kernel/kernfile.h"
#include "recorder/sources/node/members.h"
#include "recorder/sources/source.h"

/* Port data counters are in units of 4 octets (IBTA). */
enum { OCTETS = 4 };

enum {
	RCV_DATA, XMIT_DATA, RCV_PACKETS, XMIT_PACKETS, XMIT_WAIT,
	SYMBOL_ERROR, LINK_DOWNED, RCV_ERRORS, XMIT_DISCARDS, COUNTERS,
	RATE = COUNTERS, STATE, COLUMNS,
};

/* Counters are named like their files. */
static const struct sw_column columns[COLUMNS] = {
	[RCV_DATA] = { "port_rcv_data", "bytes", SW_KIND_COUNTER,
		       "Bytes received: the counter times 4." },
	[XMIT_DATA] = { "port_xmit_data", "bytes", SW_KIND_COUNTER,
			"Bytes sent: the counter times 4." },
	[RCV_PACKETS] = { "port_rcv_packets", "count", SW_KIND_COUNTER,
			  "Packets received." },
	[XMIT_PACKETS] = { "port_xmit_packets", "count", SW_KIND_COUNTER,
			   "Packets sent." },
	[XMIT_WAIT] = { "port_xmit_wait", "count", SW_KIND_COUNTER,
			"Ticks with data to send and no credit." },
	[SYMBOL_ERROR] = { "symbol_error", "count", SW_KIND_COUNTER,
			   "Minor link errors." },
	[LINK_DOWNED] = { "link_downed", "count", SW_KIND_COUNTER,
			  "How often the link went down." },
	[RCV_ERRORS] = { "port_rcv_errors", "count", SW_KIND_COUNTER,
			 "Packets received with an error." },
	[XMIT_DISCARDS] = { "port_xmit_discards", "count", SW_KIND_COUNTER,
			    "Packets dropped instead of sent." },
	[RATE] = { "rate_bits_per_sec", "bit/s", SW_KIND_GAUGE,
		   "Speed of the link, each way." },
	[STATE] = { "state", "", SW_KIND_STATE,
		    "State of the port: 1 down, 2 initialising, 3 armed, 4 "
		    "active." },
};

/* "mlx5_0/ports/1": ports are numbered from 1 without gaps. */
static void add_ports(struct sw_members *ports, const char *device)
{
	unsigned number;

	for (number = 1; ports->count < SW_MEMBERS_MAX; number++) {
		char *port = ports->name[ports->count];
		int length = snprintf(port, SW_MEMBER_SIZE, "%s/ports/%u",
				      device, number);

		if (length >= SW_MEMBER_SIZE ||
		    faccessat(ports->fd, port, F_OK, 0) < 0)
			break;
		ports->count++;
	}
}

static enum sw_read_status open_source(void *memory,
				       const struct sw_target *target)
{
	return sw_members_open(memory, target->sys_fd, "class/infiniband",
			       add_ports);
}

static enum sw_read_status slurp(const struct sw_members *ports,
				 const char *port, const char *name,
				 char *text, size_t size)
{
	char path[SW_MEMBER_SIZE + 64];

	snprintf(path, sizeof(path), "%s/%s", port, name);
	return sw_kernfile_slurp(ports->fd, path, text, size);
}

/* Adapters lack some counters: EINVAL, or no such file. */
static enum sw_read_status read_counter(const struct sw_members *ports,
					const char *port, size_t column,
					uint64_t *value)
{
	char name[64], text[64];
	const char *p = text;
	enum sw_read_status status;

	snprintf(name, sizeof(name), "counters/%s", columns[column].name);
	status = slurp(ports, port, name, text, sizeof(text));
	if (status != SW_READ_OK)
		return status;
	if (sw_kern_parse_u64(&p, value) < 0 || *p != '\n' ||
	    (column <= XMIT_DATA &&
	     __builtin_mul_overflow(*value, (uint64_t)OCTETS, value))) {
		*value = SW_MISSING;
		return SW_READ_GARBAGE;
	}
	return SW_READ_OK;
}

/* "100 Gb/sec (4X EDR)", "2.5 Gb/sec (1X SDR)" */
static uint64_t read_rate(const struct sw_members *ports, const char *port)
{
	char text[64];
	const char *p = text;
	uint64_t whole, tenths = 0;

	if (slurp(ports, port, "rate", text, sizeof(text)) != SW_READ_OK ||
	    sw_kern_parse_u64(&p, &whole) < 0)
		return SW_MISSING;
	if (*p == '.') {
		p++;
		if (*p < '0' || *p > '9')
			return SW_MISSING;
		tenths = (uint64_t)(*p++ - '0');
	}
	if (strncmp(p, " Gb/sec", 7) != 0 || whole > 1000000)
		return SW_MISSING;
	return (whole * 10 + tenths) * 100000000;
}

/* "4: ACTIVE" */
static uint64_t read_state(const struct sw_members *ports, const char *port)
{
	char text[64];
	const char *p = text;
	uint64_t number;

	if (slurp(ports, port, "state", text, sizeof(text)) != SW_READ_OK ||
	    sw_kern_parse_u64(&p, &number) < 0 || *p != ':')
		return SW_MISSING;
	return number;
}

/* The status of a port is the best one of its counters. */
static enum sw_read_status read_port(void *memory, size_t index,
				     uint64_t *values)
{
	const struct sw_members *ports = memory;
	const char *port = ports->name[index];
	enum sw_read_status best = SW_READ_GONE, status;
	size_t i;

	for (i = 0; i < COUNTERS; i++) {
		status = read_counter(ports, port, i, &values[i]);
		if (status == SW_READ_OK ||
		    (status == SW_READ_GARBAGE && best != SW_READ_OK))
			best = status;
	}
	if (best != SW_READ_OK)
		return best;
	values[RATE] = read_rate(ports, port);
	values[STATE] = read_state(ports, port);
	return SW_READ_OK;
}

static enum sw_read_status read_source(void *memory,
				       const struct sw_target *target,
				       struct sw_rows *rows)
{
	struct sw_members *ports = memory;

	(void)target;
	return sw_rows_each(rows, ports->count, read_port, memory);
}

/* "mlx5_0/ports/1" becomes "mlx5_0:1", as in ibstat and UCX. */
static bool describe(void *memory, uint64_t index, struct sw_subject *subject)
{
	const struct sw_members *ports = memory;
	const char *port, *slash;
	char text[64];

	if (index >= ports->count)
		return false;
	port = ports->name[index];
	slash = strchr(port, '/');
	snprintf(subject->kind, sizeof(subject->kind), "port");
	snprintf(subject->name, sizeof(subject->name), "%.*s:%s",
		 (int)(slash - port), port, strrchr(port, '/') + 1);
	subject->detail[0] = '\0';
	if (slurp(ports, port, "link_layer", text, sizeof(text)) == SW_READ_OK)
		snprintf(subject->detail, sizeof(subject->detail), "%.*s",
			 (int)strcspn(text, "\n"), text);
	return true;
}

const struct sw_source sw_src_infiniband = {
	.name = "infiniband",
	.backend = "sys.class",
	.scope = SW_SCOPE_NODE,
	.cadence = SW_EVERY_TENTH,
	.is_out_of_process = true,
	.columns = columns,
	.column_count = COLUMNS,
	.state_size = sizeof(struct sw_members),
	.open = open_source,
	.rows_max = SW_MEMBERS_MAX,
	.read_rows = read_source,
	.describe = describe,
	.absence = "no InfiniBand or Omni-Path adapter on this node",
	.close = sw_members_close,
};
