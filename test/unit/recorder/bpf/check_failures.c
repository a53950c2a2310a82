/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failed calls of followed processes that BPF keeps: those not made good, by
 * processes that failed, until they are taken.  Skipped without BPF in the
 * kernel or for the user; for files the kernel must be able to trace functions.
 */
#include <arpa/inet.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/bpf/exec_load.h"
#include "recorder/bpf/failures.h"
#include "recorder/kernel/share.h"
#include "test/run_tests.h"

enum { LONG_NAME = 200, SMALL = 64 << 20, MANY = 20 };

static struct exec_bpf *skeleton;
static struct ring_buffer *ring;
static struct sw_record_end end;
static pid_t child;
static struct sw_failures kept;

static int take_record(void *context, void *data, size_t size)
{
	const struct sw_record_exit *record = data;

	(void)context;
	if (size >= sizeof(*record) && record->head.kind == SW_RECORD_EXIT &&
	    record->head.pid == child)
		end = record->end;
	return 0;
}

/* Once for all tests: programs stay loaded until the process exits. */
static bool load(void)
{
	struct sw_error error;

	if (ring)
		return true;
	skeleton = sw_exec_load(&error);
	if (!skeleton || sw_failures_open(skeleton, NULL, &error) < 0) {
		printf("# skipped: %s\n", error.text);
		return false;
	}
	ring = ring_buffer__new(bpf_map__fd(skeleton->maps.records),
				take_record, NULL, NULL);
	ck_assert_ptr_nonnull(ring);
	return true;
}

static bool load_files(void)
{
	if (!load())
		return false;
	if (!strcmp(sw_failures_source(), "functions"))
		return true;
	printf("# skipped: this kernel lets no function be watched\n");
	return false;
}

static unsigned owner;	/* job of the processes */

/* Run deed in a followed process that exits; is any failure kept? */
static bool have(void (*deed)(void), int status)
{
	int way[2];
	char c;

	ck_assert_int_eq(pipe2(way, O_CLOEXEC), 0);
	fflush(NULL);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (read(way[0], &c, 1) == 1)
			deed();
		_exit(status);
	}
	end = (struct sw_record_end){ 0 };
	ck_assert_int_eq(sw_exec_follow(skeleton, owner, child), 0);
	ck_assert_int_eq(write(way[1], "x", 1), 1);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	close(way[0]);
	close(way[1]);
	while (end.time_nsec == 0)
		ring_buffer__consume(ring);
	return sw_failures_take(child, end.start_nsec, &kept);
}

static const struct sw_failure *find(unsigned kind)
{
	size_t i;

	for (i = 0; i < SW_FAILURES_KEPT; i++) {
		if (kept.failure[i].kind == kind)
			return &kept.failure[i];
	}
	return NULL;
}

/* A port of this machine without a listener. */
static struct sockaddr_in nobody = { .sin_family = AF_INET };

static void connect_to_nobody(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	connect(fd, (struct sockaddr *)&nobody, sizeof(nobody));
}

static void connect_at_last(void)
{
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	connect_to_nobody();
	bind(listener, (struct sockaddr *)&nobody, sizeof(nobody));
	listen(listener, 1);
	connect_to_nobody();
}

static void choose_port(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t size = sizeof(nobody);

	nobody.sin_port = 0;
	nobody.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&nobody, size), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&nobody, &size), 0);
	close(fd);
}

START_TEST(connections)
{
	const struct sw_failure *failure;
	in_addr_t peer;

	if (!load())
		return;
	choose_port();
	ck_assert(have(connect_to_nobody, 1));
	failure = find(SW_FAILURE_CONNECT);
	ck_assert_ptr_nonnull(failure);
	ck_assert_uint_eq(failure->error, ECONNREFUSED);
	ck_assert_uint_eq(failure->family, AF_INET);
	ck_assert_uint_eq(failure->number, ntohs(nobody.sin_port));
	memcpy(&peer, failure->text, sizeof(peer));
	ck_assert_uint_eq(peer, htonl(INADDR_LOOPBACK));
	/* It is returned once; for processes that succeed, never. */
	ck_assert(!sw_failures_take(child, end.start_nsec, &kept));
	ck_assert(!have(connect_to_nobody, 0));
}
END_TEST

/* Create a listener with a full queue: connections to it wait. */
static int listen_full(int *fillers, size_t count)
{
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	size_t i;

	if (bind(listener, (struct sockaddr *)&nobody, sizeof(nobody)) < 0 ||
	    listen(listener, 0) < 0)
		_exit(9);
	for (i = 0; i < count; i++) {
		fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		connect(fillers[i], (struct sockaddr *)&nobody, sizeof(nobody));
	}
	return listener;
}

/* A connection that waits, beside thousands of another process's. */
static void connect_beside_many(void)
{
	enum { FILLERS = 4, OTHERS = 4096 };
	struct rlimit files = { 2 * OTHERS, 2 * OTHERS };
	int fillers[FILLERS], listener = listen_full(fillers, FILLERS);
	int way[2], i, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	struct pollfd answer = { .fd = fd, .events = POLLOUT };
	pid_t other;
	char c;

	connect(fd, (struct sockaddr *)&nobody, sizeof(nobody));
	if (setrlimit(RLIMIT_NOFILE, &files) < 0 || pipe(way) < 0)
		_exit(9);
	other = fork();
	if (other == 0) {
		close(listener);
		for (i = 0; i < OTHERS; i++)
			connect(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0),
				(struct sockaddr *)&nobody, sizeof(nobody));
		_exit(write(way[1], "x", 1) != 1 || pause());
	}
	if (read(way[0], &c, 1) != 1)
		_exit(9);
	close(listener);
	poll(&answer, 1, -1);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
}

/* Supported since Linux 5.11. */
static bool can_keep_with_sockets(void)
{
	struct btf *kernel = btf__load_vmlinux_btf();
	bool can = btf__find_by_name_kind(kernel, "bpf_sk_storage_get_tracing",
					  BTF_KIND_FUNC) > 0;

	btf__free(kernel);
	if (!can)
		printf("# skipped: this kernel keeps nothing with sockets\n");
	return can;
}

START_TEST(a_connection_beside_many)
{
	const struct sw_failure *failure;

	if (!load() || geteuid() != 0 || !can_keep_with_sockets())
		return;
	choose_port();
	ck_assert(have(connect_beside_many, 1));
	failure = find(SW_FAILURE_CONNECT);
	ck_assert_ptr_nonnull(failure);
	ck_assert_uint_eq(failure->error, ECONNREFUSED);
}
END_TEST

enum { USER = 65534 };

/* Become like a task of the user's that has executed. */
static void be_user(uid_t saved)
{
	if (setresuid(USER, USER, saved) < 0 ||
	    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		_exit(1);
}

static void connect_as_user(void)
{
	be_user(USER);
	connect_to_nobody();
}

/* As a set-user-ID program of root's: to its end, and temporarily. */
static void connect_as_root(void)
{
	if (setresuid(USER, 0, 0) == 0)
		connect_to_nobody();
}

static void connect_with_root_saved(void)
{
	be_user(0);
	connect_to_nobody();
}

static void connect_hidden(void)
{
	be_user(USER);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	connect_to_nobody();
}

/* As a program executed by such a program. */
static void connect_as_other(void)
{
	if (setresuid(0, 0, 0) == 0)
		connect_to_nobody();
}

START_TEST(other_rights)
{
	struct sw_share_pool pool = { .capacity = 1 };
	struct sw_share *share;

	if (!load() || geteuid() != 0)
		return;
	share = sw_share_open(&pool, USER);
	owner = sw_exec_join(skeleton, share);
	choose_port();
	ck_assert(have(connect_as_user, 1));
	ck_assert(!have(connect_as_root, 1));
	ck_assert(!have(connect_with_root_saved, 1));
	ck_assert(!have(connect_hidden, 1));
	ck_assert(!have(connect_as_other, 1));
	sw_exec_leave(owner);
	owner = 0;
	sw_share_close(share);
}
END_TEST

/* Follow a process of a job that fails to connect, until way is closed. */
static void follow_living(unsigned of, const int way[2], pid_t *pid)
{
	int go[2], done[2];
	char c;

	ck_assert_int_eq(pipe2(go, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(done, O_CLOEXEC), 0);
	fflush(NULL);
	*pid = fork();
	ck_assert_int_ge(*pid, 0);
	if (*pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(way[1]);
		if (read(go[0], &c, 1) != 1)
			_exit(1);
		connect_as_user();
		close(done[0]);
		close(done[1]);
		_exit(read(way[0], &c, 1) != 0);
	}
	close(done[1]);
	ck_assert_int_eq(sw_exec_follow(skeleton, of, *pid), 0);
	ck_assert_int_eq(write(go[1], "x", 1), 1);
	ck_assert_int_eq(read(done[0], &c, 1), 0);
	close(done[0]);
	close(go[0]);
	close(go[1]);
}

/* Processes of one job, however many, leave room for another's. */
START_TEST(shares)
{
	enum { ROOM = 30 };
	struct sw_failures_shares *of;
	struct sw_share_pool pool = { .capacity = 1 };
	struct sw_share *one, *two;
	unsigned first, second;
	pid_t living[2 * ROOM];
	uint64_t lost;
	int way[2], i;

	if (!load() || geteuid() != 0)
		return;
	one = sw_share_open(&pool, USER);
	two = sw_share_open(&pool, USER - 1);
	first = sw_exec_join(skeleton, one);
	second = sw_exec_join(skeleton, two);
	of = &skeleton->data_shares->shares;
	of->owner[second].uid = USER;
	of->room = ROOM;
	choose_port();
	ck_assert_int_eq(pipe2(way, O_CLOEXEC), 0);
	for (i = 0; i < 2 * ROOM; i++)
		follow_living(first, way, &living[i]);
	lost = sw_exec_lost_failures(skeleton, first);
	ck_assert_uint_ge(lost, ROOM);
	ck_assert_uint_lt(lost, 2 * ROOM);
	owner = second;
	ck_assert(have(connect_as_user, 1));
	ck_assert_uint_eq(sw_exec_lost_failures(skeleton, second), 0);
	/* Their entries are freed with the processes. */
	close(way[1]);
	for (i = 0; i < 2 * ROOM; i++)
		ck_assert_int_eq(waitpid(living[i], NULL, 0), living[i]);
	close(way[0]);
	owner = first;
	ck_assert(have(connect_as_user, 1));
	ck_assert_int_eq(of->all, 0);
	owner = 0;
	of->room = SW_FAILURES_PROCESSES;
	sw_exec_leave(first);
	sw_exec_leave(second);
	sw_share_close(one);
	sw_share_close(two);
}
END_TEST

START_TEST(made_good)
{
	if (!load())
		return;
	choose_port();
	if (have(connect_at_last, 1))
		ck_assert_ptr_null(find(SW_FAILURE_CONNECT));
}
END_TEST

static void open_what_is_not(void)
{
	open("/not/there/genome.fa", O_RDONLY);
	open("/not/here/genome.fa", O_RDONLY);
}

static void open_what_is_elsewhere(void)
{
	open("/not/there/passwd", O_RDONLY);
	open("/etc/passwd", O_RDONLY);
}

static void open_long(void)
{
	char path[2 * LONG_NAME + 32] = "/";

	memset(path + 1, 'a', LONG_NAME);
	strcat(path, "/");
	memset(path + strlen(path), 'b', LONG_NAME);
	strcat(path, "/the.end");
	open(path, O_RDONLY);
}

static void open_many(void)
{
	char path[32];
	int i;

	for (i = 0; i < MANY; i++) {
		snprintf(path, sizeof(path), "/not/there/%d", i);
		open(path, O_RDONLY);
	}
}

static void execute_what_is_not(void)
{
	execl("/not/there/STAR", "STAR", NULL);
}

static void fill(void)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	if (write(fd, "x", 1) == 1)
		_exit(0);
}

static void want_memory(void)
{
	const struct rlimit limit = { SMALL, SMALL };

	setrlimit(RLIMIT_AS, &limit);
	mmap(NULL, 2 * SMALL, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

START_TEST(files)
{
	const struct sw_failure *failure;

	if (!load_files())
		return;
	ck_assert(have(open_what_is_not, 1));
	failure = find(SW_FAILURE_OPEN);
	ck_assert_ptr_nonnull(failure);
	ck_assert_uint_eq(failure->error, ENOENT);
	ck_assert_uint_eq(failure->times, 2);
	ck_assert_str_eq(failure->text, "/not/here/genome.fa");
	ck_assert(have(open_what_is_elsewhere, 1));
	ck_assert_ptr_null(find(SW_FAILURE_OPEN));
	ck_assert_uint_eq(kept.opened, 1);
	ck_assert_uint_ne(kept.read[0].file.device, 0);
	ck_assert_str_eq(kept.read[0].file.name, "passwd");
	ck_assert_str_eq(kept.read[0].file.folder[0], "etc");
	ck_assert(have(open_long, 1));
	failure = find(SW_FAILURE_OPEN);
	ck_assert_uint_eq(strlen(failure->text), SW_FAILURE_TEXT_SIZE - 1);
	ck_assert_ptr_nonnull(strstr(failure->text, "bbb/the.end"));
	ck_assert(have(open_many, 1));
	ck_assert_uint_eq(kept.open_ones, SW_FAILURES_KEPT);
	ck_assert(!have(open_what_is_not, 0));
}
END_TEST

START_TEST(other_calls)
{
	const struct sw_failure *failure;

	if (!load_files())
		return;
	ck_assert(have(execute_what_is_not, 127));
	failure = find(SW_FAILURE_EXEC);
	ck_assert_ptr_nonnull(failure);
	ck_assert_uint_eq(failure->error, ENOENT);
	ck_assert_str_eq(failure->text, "/not/there/STAR");
	ck_assert(have(fill, 1));
	failure = find(SW_FAILURE_WRITE);
	ck_assert_ptr_nonnull(failure);
	ck_assert_uint_eq(failure->error, ENOSPC);
	ck_assert_str_eq(failure->file.name, "full");
	ck_assert(have(want_memory, 1));
	failure = find(SW_FAILURE_MEMORY);
	ck_assert_ptr_nonnull(failure);
	ck_assert_uint_eq(failure->number, 2 * SMALL);
}
END_TEST

int main(void)
{
	TCase *bpf = tcase_create("bpf");

	tcase_set_timeout(bpf, 300);
	tcase_add_test(bpf, connections);
	tcase_add_test(bpf, a_connection_beside_many);
	tcase_add_test(bpf, other_rights);
	tcase_add_test(bpf, shares);
	tcase_add_test(bpf, made_good);
	tcase_add_test(bpf, files);
	tcase_add_test(bpf, other_calls);
	return run_tests("failures", bpf, NULL);
}
