/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queue of profiles to deliver to users. */
#include "recorder/delivery/delivery.h"

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

#include "common/protocol.h"
#include "common/units.h"
#include "recorder/delivery/deliverer.h"
#include "recorder/delivery/spool_bound.h"
#include "recorder/log/node_log.h"

#define FIRST_RETRY_USEC (5 * SW_USEC_PER_SEC)
#define LAST_RETRY_USEC (3600 * SW_USEC_PER_SEC)

/* Slower deliveries have their own slots. */
#define SLOW_USEC (5 * SW_USEC_PER_SEC)

/* Minimum interval of log lines about a full spool */
#define TELL_FULL_USEC (60 * SW_USEC_PER_SEC)

enum { QUICK_MAX = 2, UNDER_WAY_MAX = 10, SECONDS_A_DAY = 86400 };

struct delivery {
	struct delivery *next;
	struct sw_delivery_order order;
	uint32_t job_id;
	uint64_t due_usec;
	uint64_t retry_usec;	/* delay after the next failure */
	uint64_t sent_usec;	/* 0: not in progress */
	uint64_t served;	/* number of the user's last delivery */
	bool is_user_busy;	/* the user has a delivery in progress */
	int told_error;		/* last error logged for this user; 0: none */
};

/* Profiles removed because the spool was full; owner of the last one */
struct removed {
	uint64_t count;
	uint32_t uid, job_id;	/* SW_NO_ID: unknown */
};

struct sw_deliveries {
	int spool_fd, socket_fd;
	uint64_t next_id;
	uint64_t last_served;
	struct sw_delivery_bounds bounds;
	struct removed removed;
	uint64_t removed_told;
	uint64_t tell_full_usec;	/* next log line not before this time */
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
		       const struct sw_delivery_owner *owner,
		       uint64_t due_usec)
{
	struct delivery *delivery = calloc(1, sizeof(*delivery));
	const struct delivery *other;

	if (!delivery)
		return;		/* it stays in the spool for a later start */
	snprintf(delivery->order.name, sizeof(delivery->order.name), "%s",
		 name);
	delivery->order.id = ++deliveries->next_id;
	delivery->order.uid = owner->uid;
	delivery->order.gid = owner->gid;
	delivery->job_id = owner->job_id;
	delivery->order.keep_seconds =
		deliveries->bounds.keep_days * SECONDS_A_DAY;
	delivery->order.max_bytes = deliveries->bounds.user_max_bytes;
	delivery->due_usec = due_usec;
	delivery->retry_usec = FIRST_RETRY_USEC;
	for (other = deliveries->list; other; other = other->next) {
		if (other->order.uid != owner->uid)
			continue;
		delivery->is_user_busy = other->is_user_busy;
		delivery->served = other->served;
		break;
	}
	delivery->next = deliveries->list;
	deliveries->list = delivery;
}

int sw_deliveries_fd(const struct sw_deliveries *deliveries)
{
	return deliveries->socket_fd;
}

/* Update all entries of the user: delivery in progress, and its number. */
static void mark_user(struct sw_deliveries *deliveries,
		      const struct delivery *of, bool is_busy)
{
	struct delivery *delivery;

	for (delivery = deliveries->list; delivery; delivery = delivery->next) {
		if (delivery->order.uid != of->order.uid)
			continue;
		delivery->is_user_busy = is_busy;
		if (is_busy)
			delivery->served = deliveries->last_served;
	}
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

size_t sw_deliveries_count(const struct sw_deliveries *deliveries)
{
	const struct delivery *delivery;
	size_t count = 0;

	for (delivery = deliveries->list; delivery; delivery = delivery->next)
		count++;
	return count;
}

/* A profile was removed from a full spool; NULL: owner unknown. */
static void note_removed(void *context, const struct sw_spooled *which)
{
	struct sw_deliveries *deliveries = context;
	struct removed *removed = &deliveries->removed;

	removed->count++;
	removed->uid = which ? which->uid : SW_NO_ID;
	removed->job_id = which ? which->job_id : SW_NO_ID;
	if (which)
		remove_delivery(deliveries, which->tag);
}

static void tell_full(struct sw_deliveries *deliveries, uint64_t now_usec)
{
	const struct removed *removed = &deliveries->removed;
	uint64_t count = removed->count - deliveries->removed_told;
	char whose[64] = "nobody's";

	if (count == 0 || now_usec < deliveries->tell_full_usec)
		return;
	if (removed->uid != SW_NO_ID)
		snprintf(whose, sizeof(whose),
			 "job %" PRIu32 "'s, of user %" PRIu32,
			 removed->job_id, removed->uid);
	sw_node_log("%" PRIu64 " profiles could not be delivered and were "
		    "removed because the spool is full (spool_max_mib); the "
		    "last was %s, who held most of it", count, whose);
	deliveries->removed_told = removed->count;
	deliveries->tell_full_usec = now_usec + TELL_FULL_USEC;
}

/* Remove profiles that pile up undelivered. */
static void bound_spool(struct sw_deliveries *deliveries, uint64_t now_usec)
{
	size_t count = 0;
	struct sw_spooled *spooled = calloc(sw_deliveries_count(deliveries) + 1,
					    sizeof(*spooled));
	struct delivery *delivery;

	if (!spooled)
		return;
	for (delivery = deliveries->list; delivery; delivery = delivery->next)
		spooled[count++] = (struct sw_spooled){
			.name = delivery->order.name,
			.uid = delivery->order.uid,
			.job_id = delivery->job_id,
			.is_leaving = delivery->sent_usec != 0,
			.tag = delivery,
		};
	sw_spool_bound(deliveries->spool_fd, spooled, count,
		       deliveries->bounds.spool_max_bytes, note_removed,
		       deliveries);
	free(spooled);
	tell_full(deliveries, now_usec);
}

static void put_off(struct delivery *delivery, uint64_t now_usec)
{
	delivery->due_usec = now_usec + delivery->retry_usec;
	delivery->retry_usec *= 2;
	if (delivery->retry_usec > LAST_RETRY_USEC)
		delivery->retry_usec = LAST_RETRY_USEC;
}

/* Log once for each user and error, however many of the profiles fail. */
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
		sw_node_log("%s: not delivered to user %" PRIu32 ": %s; it "
			    "stays in the spool and will be tried again, as "
			    "will all of this user's", delivery->order.name,
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
	delivery->sent_usec = 0;
	mark_user(deliveries, delivery, false);
	switch (done->result) {
	case SW_DELIVERED:
		unlinkat(deliveries->spool_fd, delivery->order.name, 0);
		remove_delivery(deliveries, delivery);
		break;
	case SW_DELIVERY_REFUSED:
		tell(deliveries, delivery, ENOTDIR,
		     "none of the folders UID and UID.1 to UID.9 is owned by "
		     "the user and closed to others");
		delivery->retry_usec = LAST_RETRY_USEC;
		put_off(delivery, now_usec);
		break;
	default:
		/* Do not log the first failure: file systems come and go. */
		if (delivery->retry_usec > FIRST_RETRY_USEC)
			tell(deliveries, delivery, done->error,
			     strerror(done->error));
		put_off(delivery, now_usec);
		break;
	}
	if (done->result != SW_DELIVERED)
		bound_spool(deliveries, now_usec);
}

static void take_answers(struct sw_deliveries *deliveries, uint64_t now_usec)
{
	struct sw_delivery_done done;

	while (recv(deliveries->socket_fd, &done, sizeof(done),
		    MSG_DONTWAIT) == (ssize_t)sizeof(done))
		take_answer(deliveries, &done, now_usec);
}

/* Slow deliveries must not keep others waiting. */
static bool has_slot(const struct sw_deliveries *deliveries, uint64_t now_usec)
{
	const struct delivery *delivery;
	unsigned quick = 0, all = 0;

	for (delivery = deliveries->list; delivery; delivery = delivery->next) {
		all += delivery->sent_usec != 0;
		quick += delivery->sent_usec != 0 &&
			 now_usec - delivery->sent_usec < SLOW_USEC;
	}
	return quick < QUICK_MAX && all < UNDER_WAY_MAX;
}

/* Return the due entry whose user was served longest ago, or NULL. */
static struct delivery *next_due(const struct sw_deliveries *deliveries,
				 uint64_t now_usec)
{
	struct delivery *delivery, *next = NULL;

	for (delivery = deliveries->list; delivery; delivery = delivery->next) {
		if (!delivery->is_user_busy && delivery->due_usec <= now_usec &&
		    (!next || delivery->served < next->served))
			next = delivery;
	}
	return next;
}

/* Return false if it is no longer in the spool. */
static bool send_one(struct sw_deliveries *deliveries,
		     struct delivery *delivery, uint64_t now_usec)
{
	int fd = openat(deliveries->spool_fd, delivery->order.name,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0 && errno == ENOENT)
		return false;
	if (fd >= 0 && sw_deliverer_send(deliveries->socket_fd,
					 &delivery->order, fd) == 0) {
		delivery->sent_usec = now_usec;
		deliveries->last_served++;
		mark_user(deliveries, delivery, true);
	} else {
		put_off(delivery, now_usec);
	}
	if (fd >= 0)
		close(fd);
	return true;
}

void sw_deliveries_advance(struct sw_deliveries *deliveries, uint64_t now_usec)
{
	struct delivery *delivery;

	take_answers(deliveries, now_usec);
	while (has_slot(deliveries, now_usec) &&
	       (delivery = next_due(deliveries, now_usec))) {
		if (!send_one(deliveries, delivery, now_usec))
			remove_delivery(deliveries, delivery);
	}
}

uint64_t sw_deliveries_removed(const struct sw_deliveries *deliveries)
{
	return deliveries->removed.count;
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
