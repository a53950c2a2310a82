/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles that wait to be handed to their users. */
#include "recorder/delivery.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/units.h"
#include "recorder/deliverer.h"
#include "recorder/node_log.h"
#include "recorder/prune.h"

#define FIRST_RETRY_USEC (5 * SW_USEC_PER_SEC)
#define LAST_RETRY_USEC (3600 * SW_USEC_PER_SEC)

enum { UNDER_WAY_MAX = 2, SECONDS_A_DAY = 86400 };

struct delivery {
	struct delivery *next;
	struct sw_delivery_order order;
	uint64_t due_usec;
	uint64_t retry_usec;	/* what to wait after the next failure */
	bool is_under_way;
	int told_error;		/* of this user's has been logged; 0: none */
};

struct sw_deliveries {
	int spool_fd, socket_fd;
	uint64_t next_id;
	unsigned under_way;
	struct sw_delivery_bounds bounds;
	struct delivery *list;
};

struct sw_deliveries *
sw_deliveries_create(int spool_fd, const char *profile_dir,
		     const struct sw_delivery_bounds *bounds,
		     struct sw_error *error)
{
	struct sw_deliveries *deliveries = calloc(1, sizeof(*deliveries));

	if (!deliveries) {
		sw_error_errno(error, "deliveries");
		return NULL;
	}
	deliveries->spool_fd = spool_fd;
	deliveries->bounds = *bounds;
	deliveries->socket_fd = sw_deliverer_start(profile_dir, error);
	if (deliveries->socket_fd < 0) {
		free(deliveries);
		return NULL;
	}
	return deliveries;
}

void sw_deliveries_add(struct sw_deliveries *deliveries, const char *name,
		       uint32_t uid, uint32_t gid, uint64_t due_usec)
{
	struct delivery *delivery = calloc(1, sizeof(*delivery));

	if (!delivery)
		return;		/* it stays in the spool for a later start */
	snprintf(delivery->order.name, sizeof(delivery->order.name), "%s",
		 name);
	delivery->order.id = ++deliveries->next_id;
	delivery->order.uid = uid;
	delivery->order.gid = gid;
	delivery->order.keep_seconds =
		deliveries->bounds.keep_days * SECONDS_A_DAY;
	delivery->order.max_bytes = deliveries->bounds.user_max_bytes;
	delivery->due_usec = due_usec;
	delivery->retry_usec = FIRST_RETRY_USEC;
	delivery->next = deliveries->list;
	deliveries->list = delivery;
}

int sw_deliveries_fd(const struct sw_deliveries *deliveries)
{
	return deliveries->socket_fd;
}

static void remove_delivery(struct sw_deliveries *deliveries,
			    struct delivery *delivery)
{
	struct delivery **link = &deliveries->list;

	while (*link != delivery)
		link = &(*link)->next;
	*link = delivery->next;
	free(delivery);
}

/* What piles up because nobody takes it. */
static void bound_spool(struct sw_deliveries *deliveries)
{
	uint64_t removed = sw_prune(deliveries->spool_fd, 0,
				    deliveries->bounds.spool_max_bytes, NULL);

	if (removed)
		sw_node_log("%" PRIu64 " profiles could not be delivered and "
			    "were removed: the spool is full", removed);
}

static void put_off(struct delivery *delivery, uint64_t now_usec)
{
	delivery->due_usec = now_usec + delivery->retry_usec;
	delivery->retry_usec *= 2;
	if (delivery->retry_usec > LAST_RETRY_USEC)
		delivery->retry_usec = LAST_RETRY_USEC;
}

/* Once for each user and reason, however many of his there are. */
static void tell(const struct sw_deliveries *deliveries,
		 struct delivery *delivery, int error, const char *why)
{
	const struct delivery *other;
	bool is_told = false;

	for (other = deliveries->list; other; other = other->next)
		is_told |= other->order.uid == delivery->order.uid &&
			   other->told_error == error;
	delivery->told_error = error;
	if (!is_told)
		sw_node_log("%s: not handed to user %" PRIu32 ": %s; it stays "
			    "in the spool and is tried again, and so are all "
			    "of his", delivery->order.name,
			    delivery->order.uid, why);
}

static void take_answer(struct sw_deliveries *deliveries,
			const struct sw_delivery_done *done, uint64_t now_usec)
{
	struct delivery *delivery = deliveries->list;

	while (delivery && delivery->order.id != done->id)
		delivery = delivery->next;
	if (!delivery)
		return;
	deliveries->under_way--;
	delivery->is_under_way = false;
	switch (done->result) {
	case SW_DELIVERED:
		unlinkat(deliveries->spool_fd, delivery->order.name, 0);
		remove_delivery(deliveries, delivery);
		break;
	case SW_DELIVERY_REFUSED:
		tell(deliveries, delivery, ENOTDIR,
		     "his folder is not his, or others may write to it");
		delivery->retry_usec = LAST_RETRY_USEC;
		put_off(delivery, now_usec);
		break;
	default:
		/* Once is not worth a word: file systems come and go. */
		if (delivery->retry_usec > FIRST_RETRY_USEC)
			tell(deliveries, delivery, done->error,
			     strerror(done->error));
		put_off(delivery, now_usec);
		break;
	}
	if (done->result != SW_DELIVERED)
		bound_spool(deliveries);
}

static void take_answers(struct sw_deliveries *deliveries, uint64_t now_usec)
{
	struct sw_delivery_done done;

	while (recv(deliveries->socket_fd, &done, sizeof(done),
		    MSG_DONTWAIT) == (ssize_t)sizeof(done))
		take_answer(deliveries, &done, now_usec);
}

static bool is_user_busy(const struct sw_deliveries *deliveries, uint32_t uid)
{
	const struct delivery *delivery = deliveries->list;

	while (delivery && !(delivery->is_under_way &&
			     delivery->order.uid == uid))
		delivery = delivery->next;
	return delivery != NULL;
}

/* False where it is not in the spool any more. */
static bool send_one(struct sw_deliveries *deliveries,
		     struct delivery *delivery, uint64_t now_usec)
{
	int fd = openat(deliveries->spool_fd, delivery->order.name,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0 && errno == ENOENT)
		return false;
	if (fd >= 0 && sw_deliverer_send(deliveries->socket_fd,
					 &delivery->order, fd) == 0) {
		delivery->is_under_way = true;
		deliveries->under_way++;
	} else {
		put_off(delivery, now_usec);
	}
	if (fd >= 0)
		close(fd);
	return true;
}

void sw_deliveries_turn(struct sw_deliveries *deliveries, uint64_t now_usec)
{
	struct delivery *delivery, *next;

	take_answers(deliveries, now_usec);
	for (delivery = deliveries->list; delivery; delivery = next) {
		next = delivery->next;
		if (deliveries->under_way >= UNDER_WAY_MAX)
			return;
		if (delivery->is_under_way || delivery->due_usec > now_usec ||
		    is_user_busy(deliveries, delivery->order.uid))
			continue;
		if (!send_one(deliveries, delivery, now_usec))
			remove_delivery(deliveries, delivery);
	}
}

void sw_deliveries_destroy(struct sw_deliveries *deliveries)
{
	struct delivery *delivery;

	if (!deliveries)
		return;
	while ((delivery = deliveries->list)) {
		deliveries->list = delivery->next;
		free(delivery);
	}
	close(deliveries->socket_fd);
	free(deliveries);
}
