/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Breakdown of a step's time, for its row of the summaries. */
#include <check.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/missing.h"
#include "common/units.h"
#include "recorder/jobs/step_account.h"
#include "recorder/jobs/step_link.h"
#include "test/run_tests.h"
#include "test/unit/recorder/sources/shared_here.h"

enum { SECONDS = 20, GBIT = 125000000 };

/* Received before, and no more since. */
#define DOWNLOAD 30000000000

/* What happens in each second, and what each look at its threads sees. */
struct second {
	double cores, cpu_waits, idle[SW_LIMIT_WAITS], lock_threads;
	double net_bytes, link_bytes_per_sec;	/* sent */
	double received_bytes, had_bytes; /* likewise, and before */
	double io_full, reread;		/* of what is read, a share */
	uint64_t threads, cpus;		/* of a look; cpus 0: not seen */
	uint64_t workers;		/* of a look; 0: not seen */
	double busiest;			/* of their CPU time, a share */
	uint64_t ran;			/* of them; 0: not known */
};

static uint64_t at(double per_second, int seconds)
{
	return (uint64_t)(per_second * seconds * SW_USEC_PER_SEC);
}

static void put_look(struct sw_step_rows *rows, const struct second *second,
		     uint64_t usec)
{
	rows->runnable.usec = usec;
	rows->runnable.threads = second->threads;
	rows->runnable.cpus = second->cpus ? second->cpus : SW_MISSING;
	rows->runnable.workers = second->workers;
	rows->runnable.workers_usec = second->workers ? rows->cpu.usage_usec :
							SW_MISSING;
	rows->runnable.busiest_usec =
		(uint64_t)((double)rows->cpu.usage_usec * second->busiest);
	rows->runnable.workers_ran = second->ran ? second->ran : SW_MISSING;
}

/* A sample of a run of such seconds, after so many of them. */
static void read_second(struct sw_step_reading *now,
			const struct second *second, int i)
{
	struct sw_step_rows *rows = &now->rows;
	uint64_t usec = 1000 + at(1, i);
	int j;

	sw_step_reading_init(now);
	rows->cpu.usec = rows->proc.usec = rows->memory.usec = usec;
	rows->io.usec = rows->pressure.usec = rows->net.usec = usec;
	rows->cpu.usage_usec = at(second->cores, i);
	rows->proc.queued_usec = at(second->cpu_waits, i);
	rows->pressure.io_full_usec = at(second->io_full, i);
	rows->io.read_bytes = at(1, i);
	rows->memory.refaults_anon = 0;
	rows->memory.refaults_file = at(second->reread, i) /
				     (uint64_t)sysconf(_SC_PAGESIZE);
	rows->net.received_bytes = (uint64_t)second->had_bytes +
				   (uint64_t)(second->received_bytes * i);
	rows->net.sent_bytes = (uint64_t)(second->net_bytes * i);
	put_look(rows, second, usec);
	now->link_bytes_per_sec = (uint64_t)second->link_bytes_per_sec;
	now->waits.usec = usec;
	for (j = 0; j < SW_LIMIT_WAITS; j++)
		now->waits.idle_usec[j] = at(second->idle[j], i);
	now->waits.lock_thread_usec = at(second->lock_threads, i);
}

/* Milliseconds by resource, of a run of such seconds. */
static void run(uint64_t msec[SW_LIMITED_BY_RESOURCES],
		const struct second *second, double cpus)
{
	static struct sw_step_account account;
	uint64_t usec[SW_LIMITED_BY_RESOURCES];
	struct sw_step_reading now;
	int i;

	memset(&account, 0, sizeof(account));
	account.limits.cpus = cpus;
	account.limits.page_bytes = (double)sysconf(_SC_PAGESIZE);
	for (i = 0; i <= SECONDS; i++) {
		read_second(&now, second, i);
		sw_step_account_add(&account, &now);
	}
	sw_step_account_end(&account, usec);
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		msec[i] = usec[i] / 1000;
}

/* At least share of the time is attributed to the resource. */
static void went_to(const struct second *second, double cpus,
		    enum sw_limited_by resource, double share)
{
	uint64_t msec[SW_LIMITED_BY_RESOURCES], sum = 0;
	int i;

	run(msec, second, cpus);
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		sum += msec[i];
	ck_assert_uint_ge(sum, 1000 * SECONDS - SW_LIMITED_BY_RESOURCES);
	ck_assert_uint_le(sum, 1000 * SECONDS);
	ck_assert_double_eq_tol((double)msec[resource],
				share * 1000 * SECONDS, 200);
}

START_TEST(turns_at_a_lock)
{
	struct second second = { .cores = 1, .lock_threads = 3, .workers = 4,
				 .busiest = 0.25 };

	went_to(&second, 8, SW_LIMITED_BY_LOCK, 1);
	/* A single one does most of the work, and others wait for its lock. */
	second.busiest = 0.9;
	went_to(&second, 8, SW_LIMITED_BY_CPU, 1);
	second.busiest = 0.25;
	/* Only one of them keeps running, and the others wait for work. */
	second.ran = 1;
	went_to(&second, 8, SW_LIMITED_BY_CPU, 1);
	second.ran = 4;
	went_to(&second, 8, SW_LIMITED_BY_LOCK, 1);
	/* No thread waits for a lock, ... */
	second.lock_threads = 0;
	went_to(&second, 8, SW_LIMITED_BY_CPU, 1);
	second.lock_threads = 3;
	/* ... or they run concurrently. */
	second.cores = 2;
	went_to(&second, 8, SW_LIMITED_BY_CPU, 1);
	second.cores = 1;
	/* They were not sampled. */
	second.workers = 0;
	went_to(&second, 8, SW_LIMITED_BY_CPU, 1);
}
END_TEST

START_TEST(what_is_read_back)
{
	struct second second = { .cores = 0.1, .idle[SW_LIMIT_IO] = 0.9,
				 .io_full = 0.9 };

	went_to(&second, 1, SW_LIMITED_BY_IO, 0.9);
	second.reread = 1;
	went_to(&second, 1, SW_LIMITED_BY_MEMORY, 0.9);
}
END_TEST

START_TEST(a_link_that_it_fills)
{
	struct second second = { .cores = 0.1,
				 .idle[SW_LIMIT_SOCKET] = 0.9,
				 .net_bytes = 0.9 * GBIT,
				 .link_bytes_per_sec = GBIT };

	went_to(&second, 4, SW_LIMITED_BY_NETWORK, 0.9);
	/* Waiting for one of several peers counts as network, too. */
	second.idle[SW_LIMIT_SOCKET] = 0;
	second.idle[SW_LIMIT_POLL] = 0.9;
	went_to(&second, 4, SW_LIMITED_BY_NETWORK, 0.9);
	second.net_bytes = 0.5 * GBIT;
	went_to(&second, 4, SW_LIMITED_BY_WAITING, 0.9);
	second.net_bytes = 0.9 * GBIT;
	second.link_bytes_per_sec = 0;
	went_to(&second, 4, SW_LIMITED_BY_WAITING, 0.9);
}
END_TEST

/* Each way fills a link by itself, whatever the other one had before. */
START_TEST(an_upload_after_a_download)
{
	struct second second = { .cores = 0.1, .idle[SW_LIMIT_SOCKET] = 0.9,
				 .had_bytes = 30e9, .net_bytes = 0.9 * GBIT,
				 .link_bytes_per_sec = GBIT };

	went_to(&second, 4, SW_LIMITED_BY_NETWORK, 0.9);
	/* Half of the link each way does not fill it. */
	second.net_bytes = second.received_bytes = 0.5 * GBIT;
	went_to(&second, 4, SW_LIMITED_BY_WAITING, 0.9);
}
END_TEST

START_TEST(threads_that_are_bound)
{
	/* Four threads, on one CPU of four. */
	struct second second = { .cores = 1, .cpu_waits = 3, .threads = 4,
				 .cpus = 1 };

	went_to(&second, 4, SW_LIMITED_BY_CPU, 1);
	/* They may use all four, three of which are used by others. */
	second.cpus = 4;
	went_to(&second, 4, SW_LIMITED_BY_NODE, 0.75);
	/* More threads than CPUs allowed for all, of which they get half. */
	second = (struct second){ .cores = 2, .cpu_waits = 14, .threads = 16,
				  .cpus = 4 };
	went_to(&second, 4, SW_LIMITED_BY_NODE, 0.5);
	/* Without a sample they may wait for each other. */
	second.cpus = 0;
	went_to(&second, 4, SW_LIMITED_BY_CPU, 1);
}
END_TEST

START_TEST(nothing_seen_is_missing)
{
	static struct sw_step_account account;
	uint64_t usec[SW_LIMITED_BY_RESOURCES];
	int i;

	sw_step_account_end(&account, usec);
	for (i = 0; i < SW_LIMITED_BY_RESOURCES; i++)
		ck_assert_uint_eq(usec[i], SW_MISSING);
}
END_TEST

/* --- the link */

static char top[64];
static int fd;

static void put(const char *path, const char *text)
{
	char name[160];
	FILE *file;

	snprintf(name, sizeof(name), "%s/%s", top, path);
	file = fopen(name, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void put_dev(unsigned fast, unsigned slow)
{
	char text[1024];

	snprintf(text, sizeof(text),
		 "Inter-|   Receive\n face |bytes\n"
		 "    lo: 9000000000 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
		 "  eth0: %u 0 0 0 0 0 0 0 %u 0 0 0 0 0 0 0\n"
		 "  eth1: %u 0 0 0 0 0 0 0 %u 0 0 0 0 0 0 0\n"
		 "   br0: 4000000000 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		 fast, fast, slow, slow);
	put("net/dev", text);
}

static void make_node(void)
{
	static const char *const folders[] = {
		"net", "class", "class/net", "class/net/eth0",
		"class/net/eth1", "class/net/br0", "class/net/eth0/device",
		"class/net/eth1/device",
	};
	char name[160];
	size_t i;

	strcpy(top, "/tmp/check_step_account.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(top));
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(name, sizeof(name), "%s/%s", top, folders[i]);
		ck_assert_int_eq(mkdir(name, 0755), 0);
	}
	put("class/net/eth0/speed", "10000\n");
	put("class/net/eth1/speed", "1000\n");
	put("class/net/br0/speed", "40000\n");
	put_dev(1000, 2000);
	fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
}

static void remove_node(void)
{
	char command[128];

	shared_here(-1);
	close(fd);
	snprintf(command, sizeof(command), "rm -r %s", top);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(the_link_is_asked_for_where_it_matters)
{
	struct sw_shared *shared = shared_here(fd);
	struct sw_step_link link = { .usec = 0 };

	/* Before the step, the fast one carried more. */
	put_dev(900000000, 2000);
	sw_step_link_take(&link, shared, DOWNLOAD, 0, at(1, 1));
	put_dev(900001000, 3000);
	sw_step_link_take(&link, shared, DOWNLOAD, 1000, at(1, 2));
	/* So little would fill no link. */
	ck_assert_uint_eq(link.bytes_per_sec, 0);
	put_dev(900001000, 100002000);
	sw_step_link_take(&link, shared, DOWNLOAD, 100000000, at(1, 3));
	/* The device that carried most; a bridge carries it again. */
	ck_assert_uint_eq(link.bytes_per_sec, GBIT);
	put_dev(1500000000, 100002000);
	sw_step_link_take(&link, shared, DOWNLOAD, 200000000, at(1, 4));
	ck_assert_uint_eq(link.bytes_per_sec, GBIT);
	sw_step_link_take(&link, shared, DOWNLOAD, 1200000000, at(1, 14));
	ck_assert_uint_eq(link.bytes_per_sec, 10 * (uint64_t)GBIT);
	/* The step's traffic is unknown, and restarts. */
	put_dev(1500001000, 900000000);
	sw_step_link_take(&link, shared, DOWNLOAD, SW_MISSING, at(1, 30));
	sw_step_link_take(&link, shared, DOWNLOAD, 1, at(1, 50));
	ck_assert_uint_eq(link.bytes_per_sec, 10 * (uint64_t)GBIT);
}
END_TEST

int main(void)
{
	TCase *sums = tcase_create("sums"), *link = tcase_create("link");

	tcase_add_test(sums, turns_at_a_lock);
	tcase_add_test(sums, what_is_read_back);
	tcase_add_test(sums, a_link_that_it_fills);
	tcase_add_test(sums, an_upload_after_a_download);
	tcase_add_test(sums, threads_that_are_bound);
	tcase_add_test(sums, nothing_seen_is_missing);
	tcase_add_checked_fixture(link, make_node, remove_node);
	tcase_add_test(link, the_link_is_asked_for_where_it_matters);
	return run_tests("step_account", sums, link, NULL);
}
