/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network, links, mounts and energy of a view, and the node around it. */
#include "analyzer/view/view_node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/series/growth.h"
#include "analyzer/view/shares.h"
#include "analyzer/view/view_internal.h"
#include "common/delta.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void fill_network(struct sw_view *view,
			 const struct sw_view_parts *parts)
{
	struct sw_view_network *network = &view->network;
	struct sw_series net = sw_series_open(parts->reader, "series.net",
					      parts->step_key);

	network->source = sw_series_last(&net, "backend") == 1	 ? "cgroup"
			  : sw_series_last(&net, "backend") == 2 ? "namespace"
								 : NULL;
	network->received_bytes = sw_series_growth(&net, "rx_bytes");
	network->received_packets = sw_series_growth(&net, "rx_packets");
	network->sent_bytes = sw_series_growth(&net, "tx_bytes");
	network->sent_packets = sw_series_growth(&net, "tx_packets");
	network->loopback_received_bytes =
		sw_series_growth(&net, "loopback.rx_bytes");
	network->loopback_sent_bytes =
		sw_series_growth(&net, "loopback.tx_bytes");
}

static struct sw_growth_query query_of(const struct sw_view *view,
				       const char *source,
				       const char *const *columns,
				       size_t count)
{
	return (struct sw_growth_query){
		.source = source, .columns = columns, .column_count = count,
		.start_usec = view->start_usec, .end_usec = view->end_usec,
		.full_ratio = SW_LINK_FULL_RATIO,
	};
}

/* Columns for both kinds of links: bytes, speed, then errors. */
enum { RECEIVED, SENT, SPEED, ERRORS };

static const char *const interface_columns[] = {
	"rx_bytes", "tx_bytes", "speed_bits_per_sec", "rx_errors",
	"rx_dropped", "tx_errors", "tx_dropped",
};

static const char *const port_columns[] = {
	"port_rcv_data", "port_xmit_data", "rate_bits_per_sec",
	"port_rcv_errors", "port_xmit_discards", "symbol_error",
	"link_downed",
};

static bool is_used_link(const struct sw_growth *growth)
{
	return sw_zero_if_missing(growth->grown[RECEIVED]) ||
	       sw_zero_if_missing(growth->grown[SENT]);
}

static void fill_link(struct sw_view_link *link,
		      const struct sw_growth *growth, size_t columns)
{
	size_t i;

	*link = (struct sw_view_link){
		.kind = growth->kind, .name = growth->name,
		.detail = growth->detail,
		.received_bytes = growth->grown[RECEIVED],
		.sent_bytes = growth->grown[SENT],
		.errors = SW_MISSING,
		.bits_per_sec = growth->last[SPEED],
		.full_usec = sw_is_missing(growth->last[SPEED]) ? SW_MISSING :
			     growth->busy_usec,
		.peak_utilization = growth->busiest,
	};
	for (i = ERRORS; i < columns; i++)
		link->errors = sw_sum_u64(link->errors, growth->grown[i]);
}

static int add_links(struct sw_view *view, const char *source,
		     const char *const *columns, size_t count)
{
	struct sw_growth_query query = query_of(view, source, columns, count);
	struct sw_view_node *node = &view->nearby;
	struct sw_view_link *links;
	struct sw_growths growths;
	size_t i;

	query.speed_count = SENT + 1;
	query.speed_column = SPEED;
	if (sw_growths_init(&growths, view->reader, &query) < 0)
		return -1;
	links = realloc(node->links, (node->link_count + growths.count + 1) *
					     sizeof(*links));
	if (!links) {
		sw_growths_fini(&growths);
		return -1;
	}
	node->links = links;
	for (i = 0; i < growths.count; i++) {
		if (is_used_link(&growths.items[i]))
			fill_link(&links[node->link_count++],
				  &growths.items[i], count);
	}
	sw_growths_fini(&growths);
	return 0;
}

bool sw_link_is_device(const struct sw_view_link *link)
{
	return link->name && !strcmp(sw_text(link->kind), "interface") &&
	       !strcmp(sw_text(link->detail), "device");
}

static uint64_t link_bytes(const struct sw_view_link *link)
{
	return sw_zero_if_missing(link->received_bytes) +
	       sw_zero_if_missing(link->sent_bytes);
}

const struct sw_view_link *sw_view_busiest_device(
	const struct sw_view_node *node)
{
	size_t i;

	for (i = 0; i < node->link_count; i++) {
		if (sw_link_is_device(&node->links[i]))
			return &node->links[i];
	}
	return NULL;
}

static int compare_links(const void *a, const void *b)
{
	uint64_t one = link_bytes(a), two = link_bytes(b);

	return one < two ? 1 : one > two ? -1 : 0;
}

/* Columns for both kinds of mounts. */
enum {
	READ_BYTES, WRITTEN_BYTES, READS, WRITES, OPENS, GETATTRS,
	REQUESTS, READ_USEC, WRITE_USEC,
	REQUEST_USEC, RETRANSMITS,
};

static const char *const nfs_columns[] = {
	"server_read_bytes", "server_write_bytes", "read.ops", "write.ops",
	"open.ops", "getattr.ops", "all.ops", "read.exec_usec",
	"write.exec_usec", "all.exec_usec", "retransmits",
};

static const char *const lustre_columns[] = {
	"read_bytes", "write_bytes", "read_calls", "write_calls", "open",
	"getattr",
};

static bool is_used_mount(const struct sw_growth *growth, size_t columns)
{
	size_t i;

	for (i = 0; i < columns; i++) {
		if (sw_zero_if_missing(growth->grown[i]))
			return true;
	}
	return false;
}

static void fill_mount(struct sw_view_mount *mount,
		       const struct sw_growth *growth)
{
	*mount = (struct sw_view_mount){
		.name = growth->name, .detail = growth->detail,
		.read_bytes = growth->grown[READ_BYTES],
		.written_bytes = growth->grown[WRITTEN_BYTES],
		.reads = growth->grown[READS],
		.writes = growth->grown[WRITES],
		.opens = growth->grown[OPENS],
		.getattrs = growth->grown[GETATTRS],
		.requests = growth->grown[REQUESTS],
		.read_usec = growth->grown[READ_USEC],
		.write_usec = growth->grown[WRITE_USEC],
		.request_usec = growth->grown[REQUEST_USEC],
		.retransmits = growth->grown[RETRANSMITS],
	};
}

static int add_mounts(struct sw_view *view, const char *source,
		      const char *const *columns, size_t count)
{
	struct sw_growth_query query = query_of(view, source, columns, count);
	struct sw_view_node *node = &view->nearby;
	struct sw_view_mount *mounts;
	struct sw_growths growths;
	size_t i;

	if (sw_growths_init(&growths, view->reader, &query) < 0)
		return -1;
	mounts = realloc(node->mounts, (node->mount_count + growths.count +
					1) * sizeof(*mounts));
	if (!mounts) {
		sw_growths_fini(&growths);
		return -1;
	}
	node->mounts = mounts;
	for (i = 0; i < growths.count; i++) {
		if (growths.items[i].name &&
		    is_used_mount(&growths.items[i], count))
			fill_mount(&mounts[node->mount_count++],
				   &growths.items[i]);
	}
	sw_growths_fini(&growths);
	return 0;
}

static uint64_t mount_weight(const struct sw_view_mount *mount)
{
	return sw_zero_if_missing(mount->read_bytes) +
	       sw_zero_if_missing(mount->written_bytes);
}

static int compare_mounts(const void *a, const void *b)
{
	uint64_t one = mount_weight(a), two = mount_weight(b);

	if (one != two)
		return one < two ? 1 : -1;
	return strcmp(((const struct sw_view_mount *)a)->name,
		      ((const struct sw_view_mount *)b)->name);
}

/* Return all CPU time. */
static uint64_t all_usec(const struct sw_view_surroundings *around)
{
	return sw_sum_u64(sw_sum_u64(around->busy_usec, around->idle_usec),
			  sw_sum_u64(around->iowait_usec,
				     around->steal_usec));
}

double sw_stolen_ratio(const struct sw_view_surroundings *around)
{
	return sw_ratio_u64(around->steal_usec, all_usec(around));
}

double sw_others_ratio(const struct sw_view_surroundings *around)
{
	return sw_ratio_u64(around->other_usec, all_usec(around));
}

enum sw_cpu_taker sw_cpu_taker(const struct sw_view_surroundings *around,
			       uint64_t lost_usec)
{
	double took = (double)sw_zero_if_missing(around->steal_usec) +
		      (double)sw_zero_if_missing(around->other_usec);

	if (isnan(sw_others_ratio(around)) || sw_is_missing(lost_usec))
		return SW_TAKEN_BY_OTHERS;
	if (sw_stolen_ratio(around) >= SW_HARDLY &&
	    sw_stolen_ratio(around) > sw_others_ratio(around))
		return SW_TAKEN_BY_HOST;
	return took < SW_MOST * (double)lost_usec ? SW_TAKEN_UNSEEN :
						      SW_TAKEN_BY_OTHERS;
}

enum { BUSY_COLUMNS = 5, IDLE = BUSY_COLUMNS, IOWAIT, STEAL, AVAILABLE };

static int fill_surroundings(struct sw_view *view)
{
	static const char *const columns[] = {
		"user_usec", "nice_usec", "system_usec", "irq_usec",
		"softirq_usec", "idle_usec", "iowait_usec", "steal_usec",
		"mem_available_bytes",
	};
	struct sw_growth_query query = query_of(view, "node", columns,
						COUNT(columns));
	struct sw_view_surroundings *around = &view->nearby.around;
	struct sw_growths growths;
	size_t i;

	if (sw_growths_init(&growths, view->reader, &query) < 0)
		return -1;
	if (growths.count > 0) {
		const struct sw_growth *node = &growths.items[0];

		/* Steal time is not work of this node. */
		for (i = 0; i < BUSY_COLUMNS; i++)
			around->busy_usec = sw_sum_u64(around->busy_usec,
						      node->grown[i]);
		around->idle_usec = node->grown[IDLE];
		around->iowait_usec = node->grown[IOWAIT];
		around->steal_usec = node->grown[STEAL];
		around->available_bytes = node->smallest[AVAILABLE];
		around->other_usec = sw_excess_u64(around->busy_usec,
						    view->cpu.used_usec);
	}
	sw_growths_fini(&growths);
	return 0;
}

/* Only jobs of a batch system with separate cgroups. */
static void fill_other_jobs(struct sw_view *view,
			    const struct sw_view_parts *parts)
{
	struct sw_series series = sw_series_open(parts->reader,
						 "series.job_cpu",
						 parts->step_key);
	struct sw_view_surroundings *around = &view->nearby.around;
	uint64_t jobs = sw_excess_u64(
		sw_series_growth(&series, "jobs.usage_usec"),
		sw_series_growth(&series, "job.usage_usec"));

	if (!sw_is_missing(jobs) && !sw_is_missing(around->other_usec))
		around->other_jobs_usec = sw_min_u64(jobs, around->other_usec);
}

/* Sum over all packages. */
static int fill_memory_traffic(struct sw_view *view)
{
	static const char *const columns[] = { "read_bytes", "written_bytes" };
	struct sw_growth_query query = query_of(view, "dram", columns,
						COUNT(columns));
	struct sw_view_surroundings *around = &view->nearby.around;
	struct sw_growths growths;
	size_t i;

	if (sw_growths_init(&growths, view->reader, &query) < 0)
		return -1;
	for (i = 0; i < growths.count; i++) {
		const uint64_t *grown = growths.items[i].grown;

		around->memory_read_bytes =
			sw_sum_u64(around->memory_read_bytes, grown[0]);
		around->memory_written_bytes =
			sw_sum_u64(around->memory_written_bytes, grown[1]);
	}
	sw_growths_fini(&growths);
	return 0;
}

/* RAPL zones that do not lie within another: a package includes cores. */
static bool is_whole_zone(const char *name)
{
	return name && (!strncmp(name, "package", 7) || !strcmp(name, "dram"));
}

static int fill_energy(struct sw_view *view)
{
	static const char *const columns[] = { "energy_uj" };
	struct sw_growth_query query = query_of(view, "energy", columns, 1);
	struct sw_view_energy *energy = &view->nearby.energy;
	uint64_t busy = view->nearby.around.busy_usec;
	uint64_t used = view->cpu.used_usec;
	struct sw_growths growths;
	size_t i;

	if (sw_growths_init(&growths, view->reader, &query) < 0)
		return -1;
	for (i = 0; i < growths.count; i++) {
		if (is_whole_zone(growths.items[i].name))
			energy->node_uj = sw_sum_u64(energy->node_uj,
						growths.items[i].grown[0]);
	}
	sw_growths_fini(&growths);
	if (sw_is_missing(energy->node_uj) || sw_is_missing(used) ||
	    sw_is_missing(busy) || busy == 0)
		return 0;
	/* Clock ticks of the node, but microseconds of the step. */
	energy->cpu_share = fmin(1, (double)used / (double)busy);
	energy->step_uj = sw_whole_real(round((double)energy->node_uj *
					      energy->cpu_share));
	return 0;
}

static int fill_readings(struct sw_view *view)
{
	static const char *const columns[] = { "events", "value" };
	struct sw_growth_query query = query_of(view, "papi", columns,
						COUNT(columns));
	struct sw_view_node *node = &view->nearby;
	struct sw_growths growths;
	size_t i;

	if (sw_growths_init(&growths, view->reader, &query) < 0)
		return -1;
	node->readings = growths.count ? calloc(growths.count,
						sizeof(*node->readings)) :
					 NULL;
	for (i = 0; node->readings && i < growths.count; i++) {
		const struct sw_growth *growth = &growths.items[i];

		node->readings[i] = (struct sw_view_reading){
			.kind = growth->kind, .name = growth->name,
			.detail = growth->detail,
			.events = growth->last[0],
			.last = growth->last[1],
			.smallest = growth->smallest[1],
			.largest = growth->largest[1],
		};
		node->reading_count++;
	}
	i = growths.count;
	sw_growths_fini(&growths);
	return node->reading_count == i ? 0 : -1;
}

int sw_view_fill_surroundings(struct sw_view *view)
{
	struct sw_view_node *node = &view->nearby;

	sw_fields_clear(&node->around, sw_surroundings_fields);
	sw_fields_clear(&node->energy, sw_energy_fields);
	if (add_links(view, "interface", interface_columns,
		      COUNT(interface_columns)) < 0 ||
	    add_links(view, "infiniband", port_columns,
		      COUNT(port_columns)) < 0 ||
	    add_mounts(view, "mount", nfs_columns, COUNT(nfs_columns)) < 0 ||
	    add_mounts(view, "lustre", lustre_columns,
		       COUNT(lustre_columns)) < 0 ||
	    fill_surroundings(view) < 0 || fill_memory_traffic(view) < 0 ||
	    fill_energy(view) < 0 || fill_readings(view) < 0)
		return -1;
	qsort(node->links, node->link_count, sizeof(*node->links),
	      compare_links);
	qsort(node->mounts, node->mount_count, sizeof(*node->mounts),
	      compare_mounts);
	return 0;
}

int sw_view_fill_node(struct sw_view *view, const struct sw_view_parts *parts)
{
	fill_network(view, parts);
	if (sw_view_fill_surroundings(view) < 0)
		return -1;
	fill_other_jobs(view, parts);
	return 0;
}

void sw_view_node_fini(struct sw_view_node *node)
{
	free(node->links);
	free(node->mounts);
	free(node->readings);
	memset(node, 0, sizeof(*node));
}
