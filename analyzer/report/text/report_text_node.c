/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text report's lines of network, mounts, energy and the node. */
#include <math.h>
#include <string.h>

#include "analyzer/report/text/report_text.h"
#include "common/units.h"

enum { MOUNTS_SHOWN = 4, WAITS_SHOWN = 4, LINKS_SHOWN = 3, WORDS_SIZE = 768 };

/* Waits that are worth a line: of the run. */
static const double WAITED_SHOWN = 0.01;

/* Others' CPU time that is worth a word: of all that the node had. */
static const double BUSY_WITH_OTHERS = 0.05;

/* Nothing where there was none: a line of zeros says less than no line. */
static void write_network(const struct sw_text_report *report)
{
	const struct sw_view_network *network = &report->result->view->network;
	uint64_t inside = sw_zero_if_missing(network->loopback_received_bytes);
	char in[SW_UNITS_TEXT_SIZE], out[SW_UNITS_TEXT_SIZE], text[256];
	char size[SW_UNITS_TEXT_SIZE];
	size_t used = 0;

	if (sw_zero_if_missing(network->received_bytes) ||
	    sw_zero_if_missing(network->sent_bytes))
		used = (size_t)snprintf(text, sizeof(text),
			"%s received, %s sent",
			sw_size_format(in, sizeof(in),
				       network->received_bytes),
			sw_size_format(out, sizeof(out),
				       network->sent_bytes));
	if (inside)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
			"%s%s through loopback", used ? "; " : "",
			sw_size_format(size, sizeof(size), inside));
	if (used)
		sw_text_report_line(report, "network", text);
}

static void write_link(const struct sw_text_report *report,
		       const struct sw_view_link *link)
{
	char in[SW_UNITS_TEXT_SIZE], out[SW_UNITS_TEXT_SIZE];
	char text[WORDS_SIZE], busiest[80] = "";

	if (!isnan(link->busiest_ratio) && link->busiest_ratio >= 0.01)
		snprintf(busiest, sizeof(busiest),
			 ", at most %.0f %% of its %.4g Gbit/s",
			 link->busiest_ratio * 100,
			 (double)link->bits_per_sec / 1e9);
	snprintf(text, sizeof(text), "the node's %.255s, all users: %s "
		 "received, %s sent%s", link->name,
		 sw_size_format(in, sizeof(in), link->received_bytes),
		 sw_size_format(out, sizeof(out), link->sent_bytes), busiest);
	sw_text_report_line(report, "", text);
}

/* Of interfaces those of a device: others carry the same again. */
static bool is_shown(const struct sw_view_link *link)
{
	return link->name && (strcmp(sw_text(link->kind),
				     "interface") != 0 ||
			      (link->detail &&
			       !strcmp(link->detail, "device")));
}

static void write_links(const struct sw_text_report *report)
{
	const struct sw_view_node *node = &report->result->view->nearby;
	size_t i, shown = 0;

	for (i = 0; i < node->link_count && shown < LINKS_SHOWN; i++) {
		if (!is_shown(&node->links[i]))
			continue;
		write_link(report, &node->links[i]);
		shown++;
	}
}

static size_t add_calls(char *text, size_t size, size_t used,
			const char *what, uint64_t count, uint64_t wait_usec)
{
	char number[32], mean[SW_UNITS_TEXT_SIZE];

	if (sw_zero_if_missing(count) == 0 || used >= size)
		return used;
	used += (size_t)snprintf(text + used, size - used, "%s%s %s",
				 used ? "; " : "",
				 sw_count_format(number, sizeof(number), count),
				 what);
	if (!sw_is_missing(wait_usec) && used < size)
		used += (size_t)snprintf(text + used, size - used,
			", mean %s", sw_duration_format(mean, sizeof(mean),
							wait_usec / count));
	return used;
}

static void write_mount(const struct sw_text_report *report,
			const struct sw_view_mount *mount)
{
	char r[SW_UNITS_TEXT_SIZE], w[SW_UNITS_TEXT_SIZE], number[32];
	char text[WORDS_SIZE];
	size_t used = 0, head;

	head = (size_t)snprintf(text, sizeof(text), "%s %.255s, all users of "
				"the node: read %s, wrote %s",
		mount->detail && !strncmp(mount->detail, "lustre", 6) ?
			"Lustre" : "NFS", mount->name,
		sw_size_format(r, sizeof(r), mount->read_bytes),
		sw_size_format(w, sizeof(w), mount->written_bytes));
	head += (size_t)snprintf(text + head, sizeof(text) - head, "; ");
	used = add_calls(text + head, sizeof(text) - head, used, "reads",
			 mount->reads, mount->read_usec);
	used = add_calls(text + head, sizeof(text) - head, used, "writes",
			 mount->writes, mount->write_usec);
	used = add_calls(text + head, sizeof(text) - head, used,
			 "requests in total", mount->requests,
			 mount->request_usec);
	used = add_calls(text + head, sizeof(text) - head, used,
			 "opened files", mount->opens, SW_MISSING);
	if (sw_zero_if_missing(mount->retransmits))
		used += (size_t)snprintf(text + head + used,
			sizeof(text) - head - used, "%s%s retransmitted",
			used ? "; " : "",
			sw_count_format(number, sizeof(number),
				     mount->retransmits));
	if (used == 0)
		text[head - 2] = '\0';
	sw_text_report_line(report, "", text);
}

void sw_text_report_mounts(const struct sw_text_report *report)
{
	const struct sw_view_node *node = &report->result->view->nearby;
	char text[64];
	size_t i;

	for (i = 0; i < node->mount_count && i < MOUNTS_SHOWN; i++)
		write_mount(report, &node->mounts[i]);
	if (node->mount_count > MOUNTS_SHOWN) {
		snprintf(text, sizeof(text), "and %zu more mounts; --json has "
			 "them", node->mount_count - MOUNTS_SHOWN);
		sw_text_report_line(report, "", text);
	}
}

/* "120 GiB read, 40 GiB written, 2.7 GB/s in the mean" */
static void write_memory_traffic(const struct sw_text_report *report,
				 const char *label)
{
	const struct sw_view *view = report->result->view;
	const struct sw_view_surroundings *around = &view->nearby.around;
	char in[SW_UNITS_TEXT_SIZE], out[SW_UNITS_TEXT_SIZE];
	char text[256], rate[64] = "";
	uint64_t all = sw_sum_u64(around->memory_read_bytes,
				  around->memory_written_bytes);

	if (sw_is_missing(all))
		return;
	if (!sw_is_missing(view->elapsed_usec) && view->elapsed_usec > 0)
		snprintf(rate, sizeof(rate), ", %.3g GB/s on average",
			 (double)all / (double)view->elapsed_usec / 1e3);
	snprintf(text, sizeof(text), "memory controllers, all users: %s read, "
		 "%s written%s", sw_size_format(in, sizeof(in),
						around->memory_read_bytes),
		 sw_size_format(out, sizeof(out),
				around->memory_written_bytes), rate);
	sw_text_report_line(report, label, text);
}

static char *format_energy(char *buf, size_t size, uint64_t uj)
{
	double joules = (double)uj / 1e6;

	if (joules < 3600)
		snprintf(buf, size, "%.3g J", joules);
	else
		snprintf(buf, size, "%.4g Wh", joules / 3600);
	return buf;
}

static void write_energy(const struct sw_text_report *report)
{
	const struct sw_view_energy *energy =
		&report->result->view->nearby.energy;
	char text[256], own[32], all[32];

	if (sw_is_missing(energy->step_uj))
		return;
	snprintf(text, sizeof(text), "about %s, an estimate: %.0f %% of the %s "
		 "that the node's processors and memory used, by its share of "
		 "the node's busy CPU time",
		 format_energy(own, sizeof(own), energy->step_uj),
		 energy->cpu_share * 100,
		 format_energy(all, sizeof(all), energy->node_uj));
	sw_text_report_line(report, "energy", text);
}

/* Only where it was busy with others: else the CPU line says all.  Was it? */
static bool write_others(const struct sw_text_report *report)
{
	const struct sw_view_surroundings *around =
		&report->result->view->nearby.around;
	uint64_t all = sw_sum_u64(sw_sum_u64(around->busy_usec,
					    around->idle_usec),
				  sw_sum_u64(around->iowait_usec,
					    around->steal_usec));
	char text[256], steal[96] = "";

	if (sw_is_missing(around->others_usec) ||
	    sw_zero_if_missing(all) == 0)
		return false;
	if ((double)sw_zero_if_missing(around->steal_usec) >=
	    BUSY_WITH_OTHERS * (double)all)
		snprintf(steal, sizeof(steal), ", and %.0f %% were stolen by "
			 "the hypervisor",
			 100 * (double)around->steal_usec / (double)all);
	if (!steal[0] && (double)around->others_usec <
			 BUSY_WITH_OTHERS * (double)all)
		return false;
	snprintf(text, sizeof(text), "%.0f %% of its CPU time was used by "
		 "others%s",
		 100 * (double)around->others_usec / (double)all, steal);
	sw_text_report_line(report, "the node", text);
	return true;
}

void sw_text_report_network(const struct sw_text_report *report)
{
	write_network(report);
	write_links(report);
}

void sw_text_report_node(const struct sw_text_report *report)
{
	const char *label = write_others(report) ? "" : "the node";

	write_memory_traffic(report, label);
	write_energy(report);
}

/* "waited 42 s for /scratch (nfs4 server:/scratch), 38 % of the run" */
void sw_text_report_waits(const struct sw_text_report *report)
{
	const struct sw_view *view = report->result->view;
	const struct sw_view_io *io = &view->io;
	char waited[SW_UNITS_TEXT_SIZE], text[WORDS_SIZE];
	double ratio;
	size_t i;

	if (sw_is_missing(view->elapsed_usec) || view->elapsed_usec == 0)
		return;
	for (i = 0; i < io->wait_count && i < WAITS_SHOWN; i++) {
		const struct sw_view_wait *wait = &io->waits[i];

		ratio = (double)wait->waited_usec / (double)view->elapsed_usec;
		if (ratio < WAITED_SHOWN)
			break;
		snprintf(text, sizeof(text),
			 "waited %s for %.255s%s%.255s%s, %.0f %% of the run",
			 sw_duration_format(waited, sizeof(waited),
					    wait->waited_usec),
			 wait->name ? wait->name : "a file system",
			 wait->detail ? " (" : "",
			 sw_text(wait->detail),
			 wait->detail ? ")" : "", 100 * ratio);
		sw_text_report_line(report, i ? "" : "storage", text);
	}
}
