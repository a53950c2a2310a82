/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text report's lines about network, mounts, energy and the node. */
#include <math.h>
#include <string.h>

#include "analyzer/report/text/report_text.h"
#include "analyzer/report/words.h"
#include "common/text.h"
#include "common/units.h"

enum {
	MOUNTS_SHOWN = 4, WAITS_SHOWN = 4, LINKS_SHOWN = 3, READINGS_SHOWN = 8,
	CALLS_SIZE = 512
};

/* Waits are shown from this share of the run on. */
static const double WAITED_SHOWN = 0.01;

/* Others' CPU time is shown from this share of the node's time on. */
static const double BUSY_WITH_OTHERS = 0.05;

/* Leave the line out rather than print zeros. */
static void write_network(const struct sw_page *page)
{
	const struct sw_view_network *network = &page->result->view->network;
	uint64_t inside = sw_zero_if_missing(network->loopback_received_bytes);
	char text[256] = "";

	if (sw_zero_if_missing(network->received_bytes) ||
	    sw_zero_if_missing(network->sent_bytes))
		sw_text_add(text, sizeof(text), "%s received, %s sent",
			    sw_size_text(network->received_bytes).s,
			    sw_size_text(network->sent_bytes).s);
	if (inside)
		sw_text_add(text, sizeof(text), "%s%s through loopback",
			    *text ? "; " : "", sw_size_text(inside).s);
	if (*text)
		sw_page_line(page, "network", "%s", text);
}

static void write_link(const struct sw_page *page,
		       const struct sw_view_link *link)
{
	char busiest[80] = "";

	if (!isnan(link->peak_utilization) && link->peak_utilization >= 0.01)
		snprintf(busiest, sizeof(busiest),
			 ", at most %.0f %% of its %.4g Gbit/s",
			 link->peak_utilization * 100,
			 (double)link->bits_per_sec / 1e9);
	sw_page_line(page, "", "the node's %.255s, all users: %s received, %s "
		     "sent%s", link->name,
		     sw_size_text(link->received_bytes).s,
		     sw_size_text(link->sent_bytes).s, busiest);
}

/* For interfaces, count devices only: others carry the same traffic. */
static bool is_shown(const struct sw_view_link *link)
{
	return link->name && (strcmp(sw_text(link->kind),
				     "interface") != 0 ||
			      (link->detail &&
			       !strcmp(link->detail, "device")));
}

static void write_links(const struct sw_page *page)
{
	const struct sw_view_node *node = &page->result->view->nearby;
	size_t i, shown = 0;

	for (i = 0; i < node->link_count && shown < LINKS_SHOWN; i++) {
		if (!is_shown(&node->links[i]))
			continue;
		write_link(page, &node->links[i]);
		shown++;
	}
}

static void add_calls(char *text, const char *what, uint64_t count,
		      uint64_t wait_usec)
{
	if (sw_zero_if_missing(count) == 0)
		return;
	sw_text_add(text, CALLS_SIZE, "; %s %s", sw_count_text(count).s, what);
	if (!sw_is_missing(wait_usec))
		sw_text_add(text, CALLS_SIZE, ", mean %s",
			    sw_duration_text(wait_usec / count).s);
}

static void write_mount(const struct sw_page *page,
			const struct sw_view_mount *mount)
{
	bool is_lustre = mount->detail && !strncmp(mount->detail, "lustre", 6);
	char calls[CALLS_SIZE] = "";

	add_calls(calls, "reads", mount->reads, mount->read_usec);
	add_calls(calls, "writes", mount->writes, mount->write_usec);
	add_calls(calls, "requests in total", mount->requests,
		  mount->request_usec);
	add_calls(calls, "opened files", mount->opens, SW_MISSING);
	add_calls(calls, "retransmitted", mount->retransmits, SW_MISSING);
	sw_page_line(page, "", "%s %.255s, all users of the node: read %s, "
		     "wrote %s%s", is_lustre ? "Lustre" : "NFS", mount->name,
		     sw_size_text(mount->read_bytes).s,
		     sw_size_text(mount->written_bytes).s, calls);
}

void sw_text_report_mounts(const struct sw_page *page)
{
	const struct sw_view_node *node = &page->result->view->nearby;
	size_t i;

	for (i = 0; i < node->mount_count && i < MOUNTS_SHOWN; i++)
		write_mount(page, &node->mounts[i]);
	if (node->mount_count > MOUNTS_SHOWN)
		sw_page_line(page, "", "and %zu more mounts; --json has them",
			     node->mount_count - MOUNTS_SHOWN);
}

/* "120 GiB read, 40 GiB written, 2.7 GB/s on average" */
static void write_memory_traffic(const struct sw_page *page,
				 const char *label)
{
	const struct sw_view *view = page->result->view;
	const struct sw_view_surroundings *around = &view->nearby.around;
	double most = page->result->ceilings.bytes_per_sec;
	char rate[96] = "";
	uint64_t all = sw_sum_u64(around->memory_read_bytes,
				  around->memory_written_bytes);

	if (sw_is_missing(all))
		return;
	if (!sw_is_missing(view->elapsed_usec) && view->elapsed_usec > 0)
		sw_text_add(rate, sizeof(rate), ", %.3g GB/s on average",
			    (double)all / (double)view->elapsed_usec / 1e3);
	if (rate[0] && view->node && !isnan(most))
		sw_text_add(rate, sizeof(rate), " of the node's %.3g GB/s",
			    most / 1e9);
	sw_page_line(page, label, "memory controllers, all users: %s read, %s "
		     "written%s", sw_size_text(around->memory_read_bytes).s,
		     sw_size_text(around->memory_written_bytes).s, rate);
}

static void write_energy(const struct sw_page *page)
{
	const struct sw_view_energy *energy =
		&page->result->view->nearby.energy;
	char own[32], all[32];

	if (sw_is_missing(energy->step_uj))
		return;
	sw_page_line(page, "energy", "about %s, an estimate: %.0f %% of the %s "
		     "that the node's processors and memory used, by its share "
		     "of the node's busy CPU time",
		     sw_energy_format(own, sizeof(own),
				      (double)energy->step_uj / 1e6),
		     energy->cpu_share * 100,
		     sw_energy_format(all, sizeof(all),
				      (double)energy->node_uj / 1e6));
}

/* Return true if written: the CPU line is enough unless others were busy. */
static bool write_others(const struct sw_page *page)
{
	const struct sw_view_surroundings *around =
		&page->result->view->nearby.around;
	double others = sw_others_ratio(around);
	double stolen = sw_stolen_ratio(around);
	char steal[96] = "";

	if (isnan(others))
		return false;
	if (stolen >= BUSY_WITH_OTHERS)
		snprintf(steal, sizeof(steal), ", and %.0f %% were stolen by "
			 "the hypervisor", stolen * 100);
	if (!steal[0] && others < BUSY_WITH_OTHERS)
		return false;
	sw_page_line(page, "the node",
		     "%.0f %% of its CPU time was used by others%s",
		     others * 100, steal);
	return true;
}

/* "pm:::energy 3400 J, from 1200 to 3400" */
static void write_event(const struct sw_page *page, const char *label,
			const struct sw_view_reading *event)
{
	const char *unit = sw_text(event->detail);
	char range[64] = "";

	if (event->smallest < event->largest)
		snprintf(range, sizeof(range), ", from %llu to %llu",
			 (unsigned long long)event->smallest,
			 (unsigned long long)event->largest);
	sw_page_line(page, label, "%.190s %llu%s%.31s%s", event->name,
		     (unsigned long long)event->last, unit[0] ? " " : "", unit,
		     range);
}

/* A component that was read has events; any other has a reason. */
static bool is_told(const struct sw_view_reading *reading)
{
	if (!reading->kind || !reading->name)
		return false;
	if (!strcmp(reading->kind, "event"))
		return !sw_is_missing(reading->last);
	return sw_is_missing(reading->events) && reading->detail;
}

/* PAPI components configured by the site. */
static void write_readings(const struct sw_page *page)
{
	const struct sw_view_node *node = &page->result->view->nearby;
	const char *label = "PAPI";
	size_t i, count = 0;

	for (i = 0; i < node->reading_count; i++) {
		const struct sw_view_reading *reading = &node->readings[i];

		if (!is_told(reading) || count++ >= READINGS_SHOWN)
			continue;
		if (!strcmp(reading->kind, "event"))
			write_event(page, label, reading);
		else
			sw_page_line(page, label, "%.60s is not read: %.160s",
				     reading->name, reading->detail);
		label = "";
	}
	if (count > READINGS_SHOWN)
		sw_page_line(page, "", "and %zu more; --json has them",
			     count - READINGS_SHOWN);
}

void sw_text_report_network(const struct sw_page *page)
{
	write_network(page);
	write_links(page);
}

void sw_text_report_node(const struct sw_page *page)
{
	const char *label = write_others(page) ? "" : "the node";

	write_memory_traffic(page, label);
	write_energy(page);
	write_readings(page);
}

/* "42 s for /scratch (nfs4 server:/scratch), 38 % of the run" */
void sw_text_report_waits(const struct sw_page *page)
{
	const struct sw_view *view = page->result->view;
	const struct sw_view_io *io = &view->io;
	const char *name;
	double ratio;
	size_t i;

	if (sw_is_missing(view->elapsed_usec) || view->elapsed_usec == 0)
		return;
	for (i = 0; i < io->wait_count && i < WAITS_SHOWN; i++) {
		const struct sw_view_wait *wait = &io->waits[i];

		ratio = (double)wait->waited_usec / (double)view->elapsed_usec;
		if (ratio < WAITED_SHOWN)
			break;
		name = sw_view_wait_words(wait);
		sw_page_line(page, i ? "" : "I/O wait",
			     "%s for %.255s%s%.255s%s, %.0f %% of the run",
			     sw_duration_text(wait->waited_usec).s,
			     name ? name : "a file system",
			     wait->detail ? " (" : "",
			     wait->detail ? wait->detail : "",
			     wait->detail ? ")" : "", 100 * ratio);
	}
}
