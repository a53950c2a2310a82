/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * w_wait CASE FILE SECONDS: waits in one way for as long, and says which share
 * of its time it was in such calls, which share of it it was ready and had no
 * CPU, within them or not, and how long it took: "share 0.98 queued 0.01
 * seconds 3.02".  The ways are those of the table below; FILE is there, and
 * large, or is a block device.
 */
#define _GNU_SOURCE 1

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 4096, SEQUENTIAL = 128 << 10, RING = 4 };

static const char *path;
static int fd = -1;
static off_t blocks;
static char *memory;		/* aligned, SEQUENTIAL bytes */
static double end;		/* of all */
static unsigned seed = 1;

static void fail(const char *what) __attribute__((noreturn));

static void fail(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* How long this thread was ready and had no CPU; 0 where nobody counts. */
static double queued(void)
{
	unsigned long long nsec = 0;
	FILE *file = fopen("/proc/thread-self/schedstat", "r");

	if (!file)
		return 0;
	if (fscanf(file, "%*u %llu", &nsec) != 1)
		nsec = 0;
	fclose(file);
	return (double)nsec / 1e9;
}

static off_t some_block(void)
{
	return (off_t)((unsigned)rand_r(&seed) % (unsigned)blocks) * BLOCK;
}

static void open_file(int flags)
{
	off_t size;

	fd = open(path, flags);
	if (fd < 0)
		fail(path);
	size = lseek(fd, 0, SEEK_END);
	blocks = size / BLOCK;
	if (lseek(fd, 0, SEEK_SET) < 0 || blocks == 0)
		fail(path);
}

/* Each case: what to do first, and what to do again and again. */
static void open_read(void)
{
	open_file(O_RDONLY);
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
}

static void do_read(void)
{
	off_t where = some_block();

	posix_fadvise(fd, where, BLOCK, POSIX_FADV_DONTNEED);
	if (pread(fd, memory, BLOCK, where) < 0)
		fail("pread");
}

static void open_plain(void)
{
	open_file(O_RDONLY);
}

static void do_sequential(void)
{
	ssize_t got = read(fd, memory, SEQUENTIAL);

	if (got < 0)
		fail("read");
	if (got == 0) {
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		lseek(fd, 0, SEEK_SET);
	}
}

static void open_direct(void)
{
	open_file(O_RDWR | O_DIRECT);
}

static void do_direct(void)
{
	if (pread(fd, memory, BLOCK, some_block()) < 0)
		fail("direct pread");
}

static void do_direct_write(void)
{
	if (pwrite(fd, memory, BLOCK, some_block()) < 0)
		fail("direct pwrite");
}

static void do_mmap(void)
{
	size_t length = (size_t)blocks * BLOCK;
	volatile char *map;
	off_t where = some_block();

	map = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		fail("mmap");
	madvise((void *)map, length, MADV_RANDOM);
	(void)map[where];
	munmap((void *)map, length);
	posix_fadvise(fd, where, BLOCK, POSIX_FADV_DONTNEED);
}

static void do_open(void)
{
	int other = open(path, O_RDONLY);

	if (other < 0)
		fail("open");
	close(other);
}

static void do_stat(void)
{
	struct stat status;

	if (stat(path, &status) < 0)
		fail("stat");
}

static void open_write(void)
{
	open_file(O_RDWR);
}

static void do_write(void)
{
	if (pwrite(fd, memory, BLOCK, some_block()) < 0)
		fail("pwrite");
}

static void do_fsync(void)
{
	do_write();
	if (fsync(fd) < 0)
		fail("fsync");
}

static void *compute(void *unused)
{
	while (now() < end)
		;
	return unused;
}

static void begin_compute(void)
{
	pthread_t thread;

	open_read();
	if (pthread_create(&thread, NULL, compute, NULL))
		fail("pthread_create");
}

/* libaio without the library */
static aio_context_t aio;

static void open_aio(void)
{
	open_direct();
	if (syscall(SYS_io_setup, RING, &aio) < 0)
		fail("io_setup");
}

static void do_aio(void)
{
	struct iocb request = {
		.aio_fildes = (unsigned)fd, .aio_lio_opcode = IOCB_CMD_PREAD,
		.aio_buf = (uintptr_t)memory, .aio_nbytes = BLOCK,
		.aio_offset = some_block() };
	struct iocb *requests[1] = { &request };
	struct io_event event;

	if (syscall(SYS_io_submit, aio, 1, requests) != 1 ||
	    syscall(SYS_io_getevents, aio, 1, 1, &event, NULL) != 1)
		fail("aio");
}

/* io_uring, likewise */
static struct {
	int fd;
	unsigned *sq_tail, *sq_mask, *sq_array, *cq_head, *cq_tail;
	struct io_uring_sqe *entries;
} ring;

static void open_uring(void)
{
	struct io_uring_params setup = { .flags = 0 };
	size_t length;
	char *map;

	open_read();
	ring.fd = (int)syscall(SYS_io_uring_setup, RING, &setup);
	if (ring.fd < 0)
		fail("io_uring_setup");
	length = setup.cq_off.cqes + setup.cq_entries *
		 sizeof(struct io_uring_cqe);
	map = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd,
		   IORING_OFF_SQ_RING);
	ring.entries = mmap(NULL, RING * sizeof(*ring.entries),
			    PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd,
			    IORING_OFF_SQES);
	if (map == MAP_FAILED || ring.entries == MAP_FAILED)
		fail("io_uring");
	ring.sq_tail = (void *)(map + setup.sq_off.tail);
	ring.sq_mask = (void *)(map + setup.sq_off.ring_mask);
	ring.sq_array = (void *)(map + setup.sq_off.array);
	ring.cq_head = (void *)(map + setup.cq_off.head);
	ring.cq_tail = (void *)(map + setup.cq_off.tail);
}

static void do_uring(void)
{
	unsigned tail = *ring.sq_tail, at = tail & *ring.sq_mask;
	off_t where = some_block();

	posix_fadvise(fd, where, BLOCK, POSIX_FADV_DONTNEED);
	ring.entries[at] = (struct io_uring_sqe){
		.opcode = IORING_OP_READ, .fd = fd,
		.addr = (uintptr_t)memory, .len = BLOCK,
		.off = (uint64_t)where };
	ring.sq_array[at] = at;
	__atomic_store_n(ring.sq_tail, tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring.fd, 1, 1, IORING_ENTER_GETEVENTS,
		    NULL, 0) < 0)
		fail("io_uring_enter");
	__atomic_store_n(ring.cq_head, *ring.cq_tail, __ATOMIC_RELEASE);
}

/* A child that lets the other end wait for as long as the file systems do. */
static void feed(int to)
{
	if (fork())
		return;
	while (now() < end) {
		usleep(100 * 1000);
		if (write(to, "x", 1) != 1)
			break;
	}
	_exit(0);
}

static void open_pipe(void)
{
	int ends[2];

	if (pipe(ends) < 0)
		fail("pipe");
	fd = ends[0];
	feed(ends[1]);
}

static void open_unix(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		fail("socketpair");
	fd = ends[0];
	feed(ends[1]);
}

static void open_tcp(void)
{
	struct sockaddr_in name = { .sin_family = AF_INET };
	socklen_t length = sizeof(name);
	int server = socket(AF_INET, SOCK_STREAM, 0);
	int client = socket(AF_INET, SOCK_STREAM, 0);

	name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(server, (void *)&name, sizeof(name)) < 0 ||
	    listen(server, 1) < 0 ||
	    getsockname(server, (void *)&name, &length) < 0 ||
	    connect(client, (void *)&name, sizeof(name)) < 0)
		fail("tcp");
	fd = accept(server, NULL, NULL);
	feed(client);
}

static void do_byte(void)
{
	char byte;

	if (read(fd, &byte, 1) < 0)
		fail("read");
}

static void do_receive(void)
{
	char byte;

	if (recv(fd, &byte, 1, 0) < 0)
		fail("recv");
}

static const struct timespec tenth = { 0, 100 * 1000 * 1000 };

static void do_futex(void)
{
	static int word;

	syscall(SYS_futex, &word, 0 /* FUTEX_WAIT */, 0, &tenth);
}

static void do_sleep(void)
{
	nanosleep(&tenth, NULL);
}

/* As programs sleep that have no other call for a part of a second. */
static void do_select(void)
{
	struct timeval tenth_of_second = { .tv_usec = 100 * 1000 };

	select(0, NULL, NULL, NULL, &tenth_of_second);
}

static void do_poll(void)
{
	poll(NULL, 0, 100);
}

static void open_epoll(void)
{
	fd = epoll_create1(0);
}

static void do_epoll(void)
{
	struct epoll_event event;

	epoll_wait(fd, &event, 1, 100);
}

static void do_wait4(void)
{
	pid_t child = fork();

	if (child == 0) {
		usleep(100 * 1000);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void do_busy(void)
{
	double until = now() + 0.1;

	while (now() < until)
		;
}

static void open_event(void)
{
	fd = eventfd(0, 0);
	if (fork())
		return;
	while (now() < end) {
		usleep(100 * 1000);
		eventfd_write(fd, 1);
	}
	_exit(0);
}

static void do_event(void)
{
	eventfd_t value;

	eventfd_read(fd, &value);
}

static void open_lock(void)
{
	int other;

	open_file(O_RDONLY);
	if (fork())
		return;
	other = open(path, O_RDONLY);
	while (now() < end) {
		flock(other, LOCK_EX);
		usleep(100 * 1000);
		flock(other, LOCK_UN);
		usleep(1000);
	}
	_exit(0);
}

static void do_lock(void)
{
	flock(fd, LOCK_EX);
	flock(fd, LOCK_UN);
	usleep(2000);
}

static const struct {
	const char *name;
	void (*begin)(void);
	void (*step)(void);
} cases[] = {
	{ "read", open_read, do_read },
	{ "sequential", open_plain, do_sequential },
	{ "direct", open_direct, do_direct },
	{ "direct-write", open_direct, do_direct_write },
	{ "mmap", open_read, do_mmap },
	{ "open", NULL, do_open },
	{ "stat", NULL, do_stat },
	{ "write", open_write, do_write },
	{ "fsync", open_write, do_fsync },
	{ "io_uring", open_uring, do_uring },
	{ "thread", begin_compute, do_read },
	{ "libaio", open_aio, do_aio },
	{ "pipe", open_pipe, do_byte },
	{ "unix", open_unix, do_byte },
	{ "tcp", open_tcp, do_receive },
	{ "futex", NULL, do_futex },
	{ "sleep", NULL, do_sleep },
	{ "select", NULL, do_select },
	{ "poll", NULL, do_poll },
	{ "epoll", open_epoll, do_epoll },
	{ "wait4", NULL, do_wait4 },
	{ "busy", NULL, do_busy },
	{ "eventfd", open_event, do_event },
	{ "flock", open_lock, do_lock },
};

int main(int argc, char **argv)
{
	double begin, before, took, in_calls = 0;
	size_t i;

	if (argc != 4)
		return 2;
	path = argv[2];
	begin = now();
	end = begin + atof(argv[3]);
	memory = aligned_alloc(BLOCK, SEQUENTIAL);
	if (!memory)
		fail("memory");
	memset(memory, 1, SEQUENTIAL);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (strcmp(cases[i].name, argv[1]) != 0)
			continue;
		if (cases[i].begin)
			cases[i].begin();
		while ((before = now()) < end) {
			cases[i].step();
			in_calls += now() - before;
		}
		took = now() - begin;
		printf("share %.3f queued %.3f seconds %.3f\n",
		       in_calls / took, queued() / took, took);
		return 0;
	}
	fprintf(stderr, "w_wait: no such case: %s\n", argv[1]);
	return 2;
}
