/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers of fuse_stall: the simplest file system that programs can use. */
#include "test/fuse/serve.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "test/fuse/tree.h"

/* A request: its body, the name in it, and where to send the answer. */
struct request {
	int fd;
	const struct fuse_in_header *in;
	const void *body;
	struct node *node;	/* not NULL in a table's operation */
};

typedef void operation(const struct request *request);

static void reply(const struct request *request, int error, const void *data,
		  size_t size)
{
	struct fuse_out_header out = {
		.len = (uint32_t)(sizeof(out) + size), .error = -error,
		.unique = request->in->unique };
	struct iovec parts[] = {
		{ .iov_base = &out, .iov_len = sizeof(out) },
		{ .iov_base = (void *)(uintptr_t)data, .iov_len = size },
	};

	/* The caller may have been killed meanwhile. */
	if (writev(request->fd, parts, size ? 2 : 1) < 0 && errno != ENOENT)
		perror("fuse_stall: answer");
}

static void reply_errno(const struct request *request, int rc)
{
	reply(request, rc < 0 ? errno : 0, NULL, 0);
}

/* The kernel caches nothing, so that each call comes here. */
static struct fuse_attr attributes(uint64_t id)
{
	const struct node *node = tree_node(id);

	return (struct fuse_attr){
		.ino = id, .size = node->size,
		.blocks = (node->size + 511) / 512, .blksize = 4096,
		.mode = node->mode, .uid = node->uid, .gid = node->gid,
		.nlink = node->name[0] ? 1 : 0,
		.mtime = (uint64_t)node->changed,
		.ctime = (uint64_t)node->changed,
		.atime = (uint64_t)node->changed,
	};
}

static struct fuse_entry_out entry(uint64_t id)
{
	return (struct fuse_entry_out){ .nodeid = id,
					.attr = attributes(id) };
}

static void do_init(const struct request *request)
{
	const struct fuse_init_in *asked = request->body;
	const struct fuse_init_out answer = {
		.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = asked->max_readahead, .max_background = 64,
		.congestion_threshold = 64, .max_write = SERVE_WRITE_MAX,
		.time_gran = 1, .flags = FUSE_BIG_WRITES,
	};

	reply(request, 0, &answer, sizeof(answer));
}

static void do_lookup(const struct request *request)
{
	uint64_t id = tree_find(request->in->nodeid, request->body);
	struct fuse_entry_out answer;

	if (!id) {
		reply(request, ENOENT, NULL, 0);
		return;
	}
	answer = entry(id);
	reply(request, 0, &answer, sizeof(answer));
}

static void do_getattr(const struct request *request)
{
	const struct fuse_attr_out answer = {
		.attr = attributes(request->in->nodeid) };

	reply(request, 0, &answer, sizeof(answer));
}

static void do_setattr(const struct request *request)
{
	const struct fuse_setattr_in *asked = request->body;
	struct node *node = request->node;

	if (asked->valid & FATTR_MODE)
		node->mode = (node->mode & S_IFMT) | (asked->mode & 07777);
	if (asked->valid & FATTR_UID)
		node->uid = asked->uid;
	if (asked->valid & FATTR_GID)
		node->gid = asked->gid;
	if ((asked->valid & FATTR_SIZE) && tree_resize(node, asked->size) < 0)
		reply(request, ENOSPC, NULL, 0);
	else
		do_getattr(request);
}

static uint64_t make(const struct request *request, uint32_t mode,
		     const char *name)
{
	const struct node like = { .mode = mode, .uid = request->in->uid,
				   .gid = request->in->gid };

	return tree_make(request->in->nodeid, name, &like);
}

static void do_mkdir(const struct request *request)
{
	const struct fuse_mkdir_in *asked = request->body;
	uint64_t id = make(request, S_IFDIR | (asked->mode & 07777),
			   (const char *)(asked + 1));
	struct fuse_entry_out answer;

	if (!id) {
		reply_errno(request, -1);
		return;
	}
	answer = entry(id);
	reply(request, 0, &answer, sizeof(answer));
}

static void do_create(const struct request *request)
{
	const struct fuse_create_in *asked = request->body;
	uint64_t id = make(request, S_IFREG | (asked->mode & 07777),
			   (const char *)(asked + 1));
	struct {
		struct fuse_entry_out entry;
		struct fuse_open_out open;
	} answer = { .open = { .fh = 0 } };

	if (!id) {
		reply_errno(request, -1);
		return;
	}
	answer.entry = entry(id);
	reply(request, 0, &answer, sizeof(answer));
}

static void do_open(const struct request *request)
{
	const struct fuse_open_out answer = { .fh = 0 };

	reply(request, 0, &answer, sizeof(answer));
}

static void do_read(const struct request *request)
{
	const struct fuse_read_in *asked = request->body;
	const struct node *node = request->node;
	size_t size = asked->size;

	if (asked->offset >= node->size)
		size = 0;
	else if (size > node->size - asked->offset)
		size = node->size - asked->offset;
	reply(request, 0, size ? node->bytes + asked->offset : NULL, size);
}

static void do_write(const struct request *request)
{
	const struct fuse_write_in *asked = request->body;
	const struct fuse_write_out answer = { .size = asked->size };
	struct node *node = request->node;
	size_t end = asked->offset + asked->size;

	if (end > node->size && tree_resize(node, end) < 0) {
		reply(request, ENOSPC, NULL, 0);
		return;
	}
	memcpy(node->bytes + asked->offset, asked + 1, asked->size);
	reply(request, 0, &answer, sizeof(answer));
}

static void do_readdir(const struct request *request)
{
	const struct fuse_read_in *asked = request->body;
	static char answer[SERVE_BUFFER_SIZE];
	uint64_t id = asked->offset;
	size_t used = 0;

	while ((id = tree_next(request->in->nodeid, id + 1))) {
		const struct node *node = tree_node(id);
		struct fuse_dirent item = {
			.ino = id, .off = id, .type = node->mode >> 12,
			.namelen = (uint32_t)strlen(node->name) };
		size_t length = FUSE_NAME_OFFSET + item.namelen;

		if (used + FUSE_DIRENT_ALIGN(length) > asked->size ||
		    used + FUSE_DIRENT_ALIGN(length) > sizeof(answer))
			break;
		memset(answer + used, 0, FUSE_DIRENT_ALIGN(length));
		memcpy(answer + used, &item, FUSE_NAME_OFFSET);
		memcpy(answer + used + FUSE_NAME_OFFSET, node->name,
		       item.namelen);
		used += FUSE_DIRENT_ALIGN(length);
	}
	reply(request, 0, answer, used);
}

static void do_remove(const struct request *request)
{
	reply_errno(request, tree_remove(request->in->nodeid, request->body));
}

static void rename_names(const struct request *request, uint64_t folder,
			 const char *names)
{
	reply_errno(request, tree_rename(request->in->nodeid, names, folder,
					 names + strlen(names) + 1));
}

static void do_rename(const struct request *request)
{
	const struct fuse_rename_in *asked = request->body;

	rename_names(request, asked->newdir, (const char *)(asked + 1));
}

static void do_rename2(const struct request *request)
{
	const struct fuse_rename2_in *asked = request->body;

	rename_names(request, asked->newdir, (const char *)(asked + 1));
}

static void do_statfs(const struct request *request)
{
	const struct fuse_statfs_out answer = { .st = {
		.blocks = 1 << 20, .bfree = 1 << 19, .bavail = 1 << 19,
		.bsize = 4096, .frsize = 4096, .namelen = NODE_NAME_SIZE - 1 } };

	reply(request, 0, &answer, sizeof(answer));
}

static void do_nothing(const struct request *request)
{
	reply(request, 0, NULL, 0);
}

static void do_forget(const struct request *request)
{
	tree_forget(request->in->nodeid);
}

static void do_not_answer(const struct request *request)
{
	(void)request;
}

static const struct {
	const char *name;
	operation *call;
} operations[] = {
	[FUSE_LOOKUP] = { "lookup", do_lookup },
	[FUSE_FORGET] = { NULL, do_forget },
	[FUSE_GETATTR] = { "getattr", do_getattr },
	[FUSE_SETATTR] = { "setattr", do_setattr },
	[FUSE_MKDIR] = { "mkdir", do_mkdir },
	[FUSE_UNLINK] = { "unlink", do_remove },
	[FUSE_RMDIR] = { "rmdir", do_remove },
	[FUSE_RENAME] = { "rename", do_rename },
	[FUSE_OPEN] = { "open", do_open },
	[FUSE_READ] = { "read", do_read },
	[FUSE_WRITE] = { "write", do_write },
	[FUSE_STATFS] = { "statfs", do_statfs },
	[FUSE_RELEASE] = { "release", do_nothing },
	[FUSE_FSYNC] = { "fsync", do_nothing },
	[FUSE_FLUSH] = { "flush", do_nothing },
	[FUSE_INIT] = { NULL, do_init },
	[FUSE_OPENDIR] = { "opendir", do_open },
	[FUSE_READDIR] = { "readdir", do_readdir },
	[FUSE_RELEASEDIR] = { "releasedir", do_nothing },
	[FUSE_FSYNCDIR] = { "fsyncdir", do_nothing },
	[FUSE_CREATE] = { "create", do_create },
	[FUSE_INTERRUPT] = { NULL, do_not_answer },
	[FUSE_DESTROY] = { NULL, do_not_answer },
	[FUSE_BATCH_FORGET] = { NULL, do_not_answer },
	[FUSE_RENAME2] = { "rename", do_rename2 },
};

enum { OPERATIONS = sizeof(operations) / sizeof(operations[0]) };

uint32_t serve_opcode(const char *name)
{
	uint32_t i;

	for (i = 0; i < OPERATIONS; i++) {
		if (operations[i].name && !strcmp(operations[i].name, name))
			return i;
	}
	return 0;
}

void serve_error(int fuse_fd, const struct fuse_in_header *in, int error)
{
	const struct request request = { .fd = fuse_fd, .in = in };

	reply(&request, error, NULL, 0);
}

void serve(int fuse_fd, const struct fuse_in_header *in)
{
	const struct request request = {
		.fd = fuse_fd, .in = in, .body = in + 1,
		.node = tree_node(in->nodeid) };
	bool is_of_all = in->opcode == FUSE_INIT ||
			 in->opcode == FUSE_INTERRUPT ||
			 in->opcode == FUSE_DESTROY ||
			 in->opcode == FUSE_BATCH_FORGET;

	if (in->opcode >= OPERATIONS || !operations[in->opcode].call)
		serve_error(fuse_fd, in, ENOSYS);
	else if (!request.node && !is_of_all)
		serve_error(fuse_fd, in, ESTALE);
	else
		operations[in->opcode].call(&request);
}
