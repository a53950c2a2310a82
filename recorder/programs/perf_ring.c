/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse the records of a perf ring buffer. */
#include "recorder/programs/perf_ring.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

/* Maximum size of the requested records; sizes are multiples of a word. */
enum { RECORD_MAX = 64, WORD = 8 };

/* Follows the body of each record */
struct trailer {
	uint32_t pid, tid;
	uint64_t time_nsec;
};

struct task_body {
	uint32_t pid, parent_pid, tid, parent_tid;
	uint64_t time_nsec;
};

struct comm_body {
	uint32_t pid, tid;
	char comm[WORD];	/* variable length */
};

struct lost_body {
	uint64_t id, lost;
};

static void copy_out(const struct sw_perf_ring *ring, void *to, size_t size)
{
	uint64_t at = ring->tail & (ring->size - 1);
	uint64_t first = ring->size - at < size ? ring->size - at : size;

	memcpy(to, ring->data + at, first);
	memcpy((unsigned char *)to + first, ring->data, size - first);
}

static void take_task(struct sw_perf_record *record,
		      const unsigned char *bytes)
{
	struct task_body body;

	memcpy(&body, bytes, sizeof(body));
	record->pid = (pid_t)body.pid;
	record->parent = (pid_t)body.parent_pid;
	record->tid = (pid_t)body.tid;
}

static void take_comm(struct sw_perf_record *record,
		      const unsigned char *bytes, size_t size)
{
	const char *comm = (const char *)bytes + offsetof(struct comm_body,
							  comm);
	size_t room = size - offsetof(struct comm_body, comm);
	struct comm_body body;

	memcpy(&body, bytes, sizeof(body));
	record->pid = (pid_t)body.pid;
	record->tid = (pid_t)body.tid;
	if (room > SW_PERF_COMM_SIZE - 1)
		room = SW_PERF_COMM_SIZE - 1;
	memcpy(record->comm, comm, strnlen(comm, room));
}

static void take_lost(struct sw_perf_record *record,
		      const unsigned char *bytes)
{
	struct lost_body body;

	memcpy(&body, bytes, sizeof(body));
	record->lost = body.lost;
}

static int kind_of(uint32_t type, size_t *body_size)
{
	switch (type) {
	case PERF_RECORD_FORK:
		*body_size = sizeof(struct task_body);
		return SW_PERF_FORK;
	case PERF_RECORD_EXIT:
		*body_size = sizeof(struct task_body);
		return SW_PERF_EXIT;
	case PERF_RECORD_COMM:
		*body_size = sizeof(struct comm_body);
		return SW_PERF_COMM;
	case PERF_RECORD_SWITCH:
		*body_size = 0;
		return SW_PERF_SWITCH;
	case PERF_RECORD_LOST:
		*body_size = sizeof(struct lost_body);
		return SW_PERF_LOST;
	default:
		return -1;
	}
}

/* Parse a whole record of header->size bytes.  Return false to ignore it. */
static bool take(struct sw_perf_ring *ring,
		 const struct perf_event_header *header,
		 const unsigned char *bytes)
{
	struct sw_perf_record *record = &ring->record;
	const unsigned char *body = bytes + sizeof(*header);
	size_t wanted = 0, size;
	struct trailer trailer;
	int kind = kind_of(header->type, &wanted);

	if (kind < 0)
		return false;
	if (header->size > RECORD_MAX ||
	    header->size < sizeof(*header) + wanted + sizeof(trailer)) {
		ring->damaged++;
		return false;
	}
	size = header->size - sizeof(*header) - sizeof(trailer);
	memset(record, 0, sizeof(*record));
	record->kind = (enum sw_perf_kind)kind;
	memcpy(&trailer, body + size, sizeof(trailer));
	record->pid = (pid_t)trailer.pid;
	record->tid = (pid_t)trailer.tid;
	record->time_nsec = trailer.time_nsec;
	if (kind == SW_PERF_FORK || kind == SW_PERF_EXIT)
		take_task(record, body);
	else if (kind == SW_PERF_COMM)
		take_comm(record, body, size);
	else if (kind == SW_PERF_LOST)
		take_lost(record, body);
	record->is_exec = kind == SW_PERF_COMM &&
			  (header->misc & PERF_RECORD_MISC_COMM_EXEC);
	record->is_out = kind == SW_PERF_SWITCH &&
			 (header->misc & PERF_RECORD_MISC_SWITCH_OUT);
	return true;
}

static bool is_sound(const struct sw_perf_ring *ring,
		     const struct perf_event_header *header)
{
	return header->size >= sizeof(*header) && header->size % WORD == 0 &&
	       header->size <= ring->head - ring->tail;
}

const struct sw_perf_record *sw_perf_ring_peek(struct sw_perf_ring *ring)
{
	unsigned char bytes[RECORD_MAX];
	struct perf_event_header header;
	bool is_there = ring->head - ring->tail <= ring->size;

	while (!ring->has_record && ring->head != ring->tail) {
		header.size = 0;
		if (is_there && ring->head - ring->tail >= sizeof(header))
			copy_out(ring, &header, sizeof(header));
		if (!is_sound(ring, &header)) {
			ring->damaged++;
			ring->tail = ring->head;
			break;
		}
		copy_out(ring, bytes, header.size < RECORD_MAX ? header.size :
								 RECORD_MAX);
		ring->has_record = take(ring, &header, bytes);
		/* Advance the tail: the kernel may overwrite what was read. */
		ring->tail += header.size;
	}
	return ring->has_record ? &ring->record : NULL;
}

void sw_perf_ring_pop(struct sw_perf_ring *ring)
{
	ring->has_record = false;
}

bool sw_perf_ring_is_full(const struct sw_perf_ring *ring)
{
	return ring->head - ring->tail + 2 * RECORD_MAX > ring->size;
}
