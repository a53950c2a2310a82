/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a ring of perf's task events, well-formed and hostile, and the
 * table of processes.  check_perf_tasks covers the evaluation of records,
 * check_perf_live the kernel's own.
 */
#include <check.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/programs/perf_ring.h"
#include "recorder/programs/pid_map.h"

/* Map. */

enum { SLOTS = 64, PIDS = 200, MOVES = 20000 };

struct numbered {
	pid_t pid;
	unsigned number;
};

static unsigned draw(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(*seed >> 33);
}

static void compare(const struct sw_pid_map *map, const unsigned *model)
{
	const struct numbered *entry;
	size_t slot = 0, found = 0, wanted = 0;
	pid_t pid;

	for (pid = 1; pid < PIDS; pid++) {
		entry = sw_pid_map_find(map, pid);
		ck_assert_uint_eq(entry ? entry->number : 0, model[pid]);
		wanted += model[pid] != 0;
	}
	while (sw_pid_map_next(map, &slot))
		found++;
	ck_assert_uint_eq(found, wanted);
	ck_assert_uint_eq(map->count, wanted);
}

/* Compare with the simplest implementation. */
START_TEST(map_moves)
{
	unsigned model[PIDS] = { 0 }, i;
	struct numbered *entry;
	struct sw_pid_map map;
	uint64_t seed = 1;
	pid_t pid;

	ck_assert_int_eq(sw_pid_map_open(&map, SLOTS, sizeof(*entry)), 0);
	for (i = 1; i < MOVES; i++) {
		pid = (pid_t)(1 + draw(&seed) % (PIDS - 1));
		if (draw(&seed) % 2) {
			sw_pid_map_remove(&map, pid);
			model[pid] = 0;
		} else {
			entry = sw_pid_map_add(&map, pid);
			ck_assert(entry || map.count == SLOTS / 2);
			if (entry)
				entry->number = model[pid] = i;
		}
		if (i % 16 == 0)
			compare(&map, model);
	}
	ck_assert_ptr_null(sw_pid_map_add(&map, 0));
	ck_assert_ptr_null(sw_pid_map_add(&map, -1));
	ck_assert_ptr_null(sw_pid_map_find(&map, -1));
	sw_pid_map_close(&map);
}
END_TEST

/* Ring. */

enum { RING_SIZE = 4096 };

struct ring {
	struct sw_perf_ring ring;
	unsigned char *data;	/* separate, so that a sanitizer sees more */
};

static void open_ring(struct ring *ring, uint64_t at)
{
	memset(ring, 0, sizeof(*ring));
	ring->data = malloc(RING_SIZE);
	ck_assert_ptr_nonnull(ring->data);
	memset(ring->data, 0xa5, RING_SIZE);
	ring->ring.data = ring->data;
	ring->ring.size = RING_SIZE;
	ring->ring.head = ring->ring.tail = at;
}

static void put(struct ring *ring, const void *bytes, size_t size)
{
	const unsigned char *from = bytes;
	size_t i;

	for (i = 0; i < size; i++)
		ring->data[ring->ring.head++ % RING_SIZE] = from[i];
}

/* Write a record like the kernel: body, then pid, tid and time. */
static void put_record(struct ring *ring, uint16_t type, uint16_t misc,
		       const void *body, size_t body_size, uint64_t time)
{
	struct perf_event_header header = { .type = type, .misc = misc };
	uint32_t ids[2] = { 70, 71 };

	header.size = (uint16_t)(sizeof(header) + body_size + sizeof(ids) +
				 sizeof(time));
	put(ring, &header, sizeof(header));
	put(ring, body, body_size);
	put(ring, ids, sizeof(ids));
	put(ring, &time, sizeof(time));
}

static void put_task(struct ring *ring, uint16_t type, uint32_t pid,
		     uint32_t parent, uint32_t tid, uint64_t time)
{
	struct {
		uint32_t pid, parent, tid, parent_tid;
		uint64_t time;
	} body = { pid, parent, tid, parent, time };

	put_record(ring, type, 0, &body, sizeof(body), time);
}

static void put_comm(struct ring *ring, const char *comm, size_t size,
		     bool is_exec)
{
	struct {
		uint32_t pid, tid;
		char comm[32];
	} body = { 7, 8, "" };

	memcpy(body.comm, comm, size);
	put_record(ring, PERF_RECORD_COMM,
		   is_exec ? PERF_RECORD_MISC_COMM_EXEC : 0, &body, 8 + size,
		   3000);
}

static struct sw_perf_record next(struct ring *ring)
{
	const struct sw_perf_record *record = sw_perf_ring_peek(&ring->ring);
	struct sw_perf_record copy;

	ck_assert_ptr_nonnull(record);
	copy = *record;
	/* The same until it is popped. */
	ck_assert_ptr_eq(sw_perf_ring_peek(&ring->ring), record);
	ck_assert_int_eq(memcmp(record, &copy, sizeof(copy)), 0);
	sw_perf_ring_pop(&ring->ring);
	return copy;
}

static void is_empty(struct ring *ring, uint64_t damaged)
{
	ck_assert_ptr_null(sw_perf_ring_peek(&ring->ring));
	ck_assert_uint_eq(ring->ring.damaged, damaged);
	ck_assert_uint_eq(ring->ring.tail, ring->ring.head);
	free(ring->data);
}

/* All kinds, starting at each offset of the ring: some wrap around. */
START_TEST(ring_records)
{
	static const uint64_t lost[2] = { 5, 42 };
	struct sw_perf_record got;
	struct ring ring;

	open_ring(&ring, (uint64_t)_i * 8);
	put_task(&ring, PERF_RECORD_FORK, 12, 11, 13, 1000);
	put_record(&ring, PERF_RECORD_MMAP2, 0, lost, sizeof(lost), 1500);
	put_task(&ring, PERF_RECORD_EXIT, 14, 15, 16, 2000);
	put_comm(&ring, "fifteen letters", 16, true);
	put_comm(&ring, "short\0\0", 8, false);
	put_record(&ring, PERF_RECORD_SWITCH, 0, lost, 0, 4000);
	put_record(&ring, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT,
		   lost, 0, 5000);
	put_record(&ring, PERF_RECORD_LOST, 0, lost, sizeof(lost), 6000);
	got = next(&ring);
	ck_assert(got.kind == SW_PERF_FORK && got.pid == 12);
	ck_assert(got.parent == 11 && got.tid == 13 && got.time_nsec == 1000);
	got = next(&ring);
	ck_assert(got.kind == SW_PERF_EXIT && got.pid == 14);
	ck_assert(got.parent == 15 && got.tid == 16 && got.time_nsec == 2000);
	got = next(&ring);
	ck_assert(got.kind == SW_PERF_COMM && got.pid == 7 && got.tid == 8);
	ck_assert(got.is_exec && got.time_nsec == 3000);
	ck_assert_str_eq(got.comm, "fifteen letters");
	got = next(&ring);
	ck_assert(got.kind == SW_PERF_COMM && !got.is_exec);
	ck_assert_str_eq(got.comm, "short");
	got = next(&ring);
	ck_assert(got.kind == SW_PERF_SWITCH && !got.is_out && got.pid == 70);
	got = next(&ring);
	ck_assert(got.kind == SW_PERF_SWITCH && got.is_out && got.tid == 71);
	ck_assert_uint_eq(got.time_nsec, 5000);
	got = next(&ring);
	ck_assert(got.kind == SW_PERF_LOST && got.lost == 42);
	is_empty(&ring, 0);
}
END_TEST

/* A name without an end, as long as its record. */
START_TEST(ring_endless_comm)
{
	struct sw_perf_record got;
	struct ring ring;

	open_ring(&ring, 0);
	put_comm(&ring, "AAAAAAAABBBBBBBBCCCCCCCC", 24, true);
	got = next(&ring);
	ck_assert_str_eq(got.comm, "AAAAAAAABBBBBBB");
	is_empty(&ring, 0);
}
END_TEST

/* A record too small for its kind; the next one is complete. */
START_TEST(ring_wrong_size)
{
	static const uint16_t types[] = {
		PERF_RECORD_FORK, PERF_RECORD_EXIT, PERF_RECORD_COMM,
		PERF_RECORD_LOST, PERF_RECORD_SWITCH,
	};
	struct perf_event_header header = { .type = types[_i] };
	static const unsigned char bytes[256];
	uint16_t sizes[] = { 8, 16, 72, 248 };
	uint64_t damaged = 0;
	struct ring ring;
	size_t i;

	open_ring(&ring, RING_SIZE - 40);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		header.size = sizes[i];
		put(&ring, &header, sizeof(header));
		put(&ring, bytes, sizes[i] - sizeof(header));
		put_task(&ring, PERF_RECORD_FORK, 12, 11, 13, 1000 + i);
		ck_assert_uint_eq(next(&ring).time_nsec, 1000 + i);
		damaged++;
	}
	is_empty(&ring, damaged);
}
END_TEST

/* Impossible sizes: the start of the next record is unknown. */
START_TEST(ring_impossible_size)
{
	static const uint16_t sizes[] = { 0, 1, 7, 9, 20, 4104, 65528, 65535 };
	struct perf_event_header header = {
		.type = PERF_RECORD_FORK, .size = sizes[_i],
	};
	struct ring ring;

	open_ring(&ring, 8);
	put(&ring, &header, sizeof(header));
	put_task(&ring, PERF_RECORD_FORK, 12, 11, 13, 1000);
	is_empty(&ring, 1);
}
END_TEST

/* A head too far ahead, or not at the end of a record. */
START_TEST(ring_impossible_head)
{
	static const uint64_t ahead[] = { 1, 7, RING_SIZE + 8, UINT64_MAX };
	struct ring ring;

	open_ring(&ring, 16);
	ring.ring.head = ring.ring.tail + ahead[_i];
	is_empty(&ring, 1);
}
END_TEST

/* Any bytes terminate, with terminated names. */
START_TEST(ring_garbage)
{
	static unsigned char bytes[RING_SIZE];
	const struct sw_perf_record *record;
	uint64_t seed = (uint64_t)_i;
	unsigned count = 0, i;
	struct ring ring;

	open_ring(&ring, draw(&seed));
	for (i = 0; i < RING_SIZE; i++)
		bytes[i] = (unsigned char)draw(&seed);
	/* Plausible types and sizes, so that more than the first is parsed. */
	for (i = 0; i + 8 < RING_SIZE && _i % 2; i += 8 * (1 + i % 7)) {
		memset(bytes + i, 0, 8);
		bytes[i] = (unsigned char)(draw(&seed) % 16);
		bytes[i + 6] = (unsigned char)(8 * (1 + i % 7));
	}
	put(&ring, bytes, RING_SIZE - draw(&seed) % 9 * 8);
	while ((record = sw_perf_ring_peek(&ring.ring))) {
		ck_assert_uint_lt(strlen(record->comm), SW_PERF_COMM_SIZE);
		ck_assert_uint_lt(count++, RING_SIZE / 8);
		sw_perf_ring_pop(&ring.ring);
	}
	ck_assert_uint_eq(ring.ring.tail, ring.ring.head);
	free(ring.data);
}
END_TEST

static Suite *perf_suite(void)
{
	Suite *suite = suite_create("perf");
	TCase *tcase = tcase_create("perf");

	tcase_add_test(tcase, map_moves);
	tcase_add_loop_test(tcase, ring_records, 0, RING_SIZE / 8);
	tcase_add_test(tcase, ring_endless_comm);
	tcase_add_loop_test(tcase, ring_wrong_size, 0, 5);
	tcase_add_loop_test(tcase, ring_impossible_size, 0, 8);
	tcase_add_loop_test(tcase, ring_impossible_head, 0, 4);
	tcase_add_loop_test(tcase, ring_garbage, 0, 200);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	SRunner *runner = srunner_create(perf_suite());
	int failed;

	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
