/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder of a node: its event loop.  Messages take precedence: they are
 * received before each sample, so that a hook waits for one sample at most.
 */
#include "recorder/daemon/node.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/delta.h"
#include "common/slurm_conf.h"
#include "common/units.h"
#include "config.h"
#include "recorder/bpf/net_bpf.h"
#include "recorder/daemon/node_cpus.h"
#include "recorder/daemon/node_internal.h"
#include "recorder/daemon/node_spool.h"
#include "recorder/daemon/node_start.h"
#include "recorder/delivery/summaries.h"
#include "recorder/jobs/job_memory.h"
#include "recorder/kernel/rights.h"
#include "recorder/log/node_log.h"
#include "recorder/tables/privacy.h"
#include "recorder/waits/local_space.h"
#include "recorder/programs/programs.h"
#include "recorder/sources/pmu/components.h"
#include "recorder/sources/pmu/counters.h"
#include "recorder/sources/pmu/pmu.h"
#include "recorder/sources/pmu/presets.h"
#include "recorder/sources/shared.h"

/* Poll entries per step */
enum { OF_STEP = 3 };

/* Fill in the poll entries: signals, BPF, deliveries, reports, socket ... */
static size_t fill_common(struct sw_node *node)
{
	size_t count = 0, i;

	node->polled[count++] = (struct pollfd){
		.fd = node->signal_fd, .events = POLLIN };
	node->polled[count++] = (struct pollfd){ .fd = sw_programs_news_fd(),
						 .events = POLLIN };
	if (node->deliveries)
		node->polled[count++] = (struct pollfd){
			.fd = sw_deliveries_fd(node->deliveries),
			.events = POLLIN };
	for (i = 0; i < SW_NODE_REPORTS_MAX; i++) {
		const struct sw_node_report *report = &node->report[i];

		if (!report->is_open)
			continue;
		node->polled[count++] = (struct pollfd){
			.fd = sw_report_job_fd(&report->job),
			.events = POLLIN };
		node->polled[count++] = (struct pollfd){
			.fd = report->peer ? report->peer->fd : -1,
			.events = POLLIN };
	}
	return count + sw_node_socket_poll(&node->socket,
					   node->polled + count,
					   SW_NODE_POLLED_MAX / 2);
}

/* ... followed by those of each step. */
static size_t fill_steps(struct sw_node *node, size_t count)
{
	struct sw_node_step *step;
	struct sw_node_job *job;

	for (job = node->jobs; job; job = job->next) {
		for (step = job->steps; step; step = step->next) {
			if (count + OF_STEP > SW_NODE_POLLED_MAX)
				return count;
			node->polled[count++] = (struct pollfd){
				.fd = step->watch.file.fd, .events = POLLPRI };
			node->polled[count++] = (struct pollfd){
				.fd = step->stepd_gone_usec ? -1 :
				      step->stepd_fd, .events = POLLIN };
			node->polled[count++] = (struct pollfd){
				.fd = step->programs ? sw_programs_fd(step->programs) :
						    -1, .events = POLLIN };
		}
	}
	return count;
}

/* Handle ready descriptors of steps, in the order of fill_steps(). */
static void take_step_events(struct sw_node *node, const struct pollfd *polled,
			     size_t count)
{
	struct sw_node_step *step;
	struct sw_node_job *job;
	size_t i = 0;

	for (job = node->jobs; job; job = job->next) {
		for (step = job->steps; step; step = step->next, i += OF_STEP) {
			if (i + OF_STEP > count)
				return;
			if (polled[i].revents)
				sw_node_step_check(step);
			if (polled[i + 1].revents && !step->stepd_gone_usec)
				step->stepd_gone_usec =
					sw_clock_boottime_usec();
			if (polled[i + 2].revents)
				sw_programs_drain(step->programs,
						  sw_clock_boottime_usec());
		}
	}
}

static void take_signals(struct sw_node *node)
{
	struct signalfd_siginfo info;

	while (read(node->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT)
			node->is_ending = true;
	}
}

/* Start the sources that wait for BPF now, not in the next round. */
static void take_news(struct sw_node *node)
{
	uint64_t count;
	struct sw_node_step *step;
	struct sw_node_job *job;

	if (read(sw_programs_news_fd(), &count, sizeof(count)) < 0)
		return;
	sw_programs_expire();
	for (job = node->jobs; job; job = job->next) {
		for (step = job->steps; step; step = step->next) {
			if (step->sampler && step->programs &&
			    !sw_programs_is_coming(step->programs))
				sw_sampler_catch_up(step->sampler);
		}
	}
}

static void turn(struct sw_node *node)
{
	size_t first = fill_common(node), count = fill_steps(node, first);
	uint64_t left = sw_excess_u64(sw_node_next_due(node),
				      sw_clock_boottime_usec());
	struct timespec timeout = {
		.tv_sec = (time_t)(left / SW_USEC_PER_SEC),
		.tv_nsec = (long)(left % SW_USEC_PER_SEC * SW_NSEC_PER_USEC),
	};

	if (ppoll(node->polled, count, &timeout, NULL) > 0) {
		take_step_events(node, node->polled + first, count - first);
		take_signals(node);
		if (node->polled[1].revents)
			take_news(node);
	}
	node->place.self.wakeups++;
	sw_node_receive_all(node);
	sw_node_reap(node);
	sw_node_advance_reports(node);
	sw_node_sample_due(node);
	sw_node_finish_jobs(node);
	sw_node_check_all(node);
	if (node->deliveries)
		sw_deliveries_advance(node->deliveries,
				      sw_clock_boottime_usec());
}

static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* Open the announcements of running steps; without them none is adopted. */
static int open_steps(const char *socket_path)
{
	const char *slash = strrchr(socket_path, '/');
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.*s/steps", (int)(slash - socket_path),
		 socket_path);
	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		sw_node_log("%s: %s", path, strerror(errno));
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

static struct sw_papi_origin origin_of(const struct sw_node_settings *settings)
{
	return (struct sw_papi_origin){
		.events_file = settings->events_file[0] ?
				       settings->events_file : NULL,
		.why = settings->is_events_file_bad ?
			       "papi_events_file cannot be used" : NULL,
	};
}

int sw_node_tell_presets(const struct sw_node_options *options)
{
	struct sw_node_settings settings;
	struct sw_papi_origin origin;

	sw_node_settings_read(&settings, options->settings);
	origin = origin_of(&settings);
	sw_presets_print(stdout, &origin);
	return fflush(stdout) == 0 ? 0 : 1;
}

int sw_node_tell_failed_calls(void)
{
	return sw_programs_tell_failures(stdout);
}

/* Call before there are steps and other children. */
static void choose_counters(const struct sw_node_settings *settings)
{
	const struct sw_papi_origin origin = origin_of(settings);

	sw_counters_choose(settings->counters, &origin);
	if (sw_counters_refused()[0])
		sw_node_log("counters: %s", sw_counters_refused());
	sw_components_choose(settings->components);
	if (sw_components_refused()[0])
		sw_node_log("papi_components: %s", sw_components_refused());
}

static int open_node(struct sw_node *node, struct sw_error *error)
{
	const struct sw_node_options *options = node->options;

	sw_node_settings_read(&node->settings, options->settings);
	sw_privacy_set(node->settings.privacy);
	sw_local_space_set(node->settings.local_scratch);
	choose_counters(&node->settings);
	node->place.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	node->place.sys_fd = open("/sys", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	node->place.cgroup_root_fd = sw_node_open_cgroups();
	sw_cgroup_v1_open_roots(&node->place.v1_roots, node->place.proc_fd);
	node->signal_fd = open_signals();
	if (node->place.proc_fd < 0 || node->signal_fd < 0)
		return sw_error_errno(error, "/proc or signals");
	sw_available_read(&node->place.available, node->place.proc_fd, -1, NULL);
	sw_node_memory_open(&node->memory, node->place.proc_fd);
	node->place.memory = &node->memory;
	node->spool.capacity =
		node->settings.number[SW_KEY_SPOOL_MAX_MIB] * SW_MIB;
	if (node->spool.capacity == 0)
		node->spool.capacity = UINT64_MAX / 4;	/* unlimited */
	node->place.spool = &node->spool;
	node->spool_fd = sw_node_spool_open(options->spool, error);
	if (node->spool_fd < 0)
		return -1;
	node->steps_fd = open_steps(options->socket_path);
	sw_node_counts_begin(&node->counts, node->steps_fd);
	node->start_usec = sw_clock_boottime_usec();
	return sw_node_guard_open(
		&node->guard, node->steps_fd, "../guard",
		sw_node_count_oom_kills(node->place.cgroup_root_fd,
			node->place.v1_roots.fd[SW_V1_MEMORY]), error);
}

static void open_summaries(struct sw_node *node)
{
	struct sw_error error;

	node->place.summaries_fd = sw_summaries_start(
		node->options->summaries, &error);
	if (node->place.summaries_fd < 0)
		sw_node_log("%s: no summaries are kept", error.text);
}

/* Start deliveries, if possible. */
static void open_deliveries(struct sw_node *node)
{
	const uint64_t *number = node->settings.number;
	const struct sw_delivery_bounds bounds = {
		.keep_days = number[SW_KEY_KEEP_DAYS],
		.user_max_bytes = number[SW_KEY_USER_MAX_MIB] * SW_MIB,
		.spool_max_bytes = number[SW_KEY_SPOOL_MAX_MIB] * SW_MIB,
	};
	const char *profile_dir = node->options->profile_dir;
	struct sw_error error;

	if (!profile_dir)
		profile_dir = node->settings.profile_dir;
	if (!profile_dir[0])
		profile_dir = SPOOLDIR "/profiles";
	node->profile_dir = profile_dir;
	node->deliveries = sw_deliveries_create(node->spool_fd, profile_dir,
						&bounds, &error);
	if (!node->deliveries)
		sw_node_log("%s: profiles stay in the spool", error.text);
}

/* The topology is stored next to the socket. */
static void open_topology(struct sw_node *node)
{
	const char *path = node->options->socket_path;
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
	node->place.topology = &node->topology;
	sw_topology_begin(&node->topology, node->place.proc_fd,
			  node->place.sys_fd, folder, true);
}

/* Get the cluster name, in lower case as in accounting. */
static void name_cluster(struct sw_node *node)
{
	char *c;

	sw_slurm_conf_here(node->options->slurm_conf, "ClusterName",
			   node->cluster, sizeof(node->cluster));
	for (c = node->cluster; *c; c++)
		*c = (char)tolower((unsigned char)*c);
}

/* Prepare sources that would delay a launch for too long. */
static void prepare_sources(struct sw_node *node)
{
	struct sw_node_place *place = &node->place;
	struct sw_error error;

	sw_net_bpf_prepare();
	sw_pmu_keep();
	place->shared = sw_shared_create(sw_sources, sw_hidden_sources,
					 place->proc_fd, place->sys_fd,
					 &error);
	if (place->shared)
		sw_shared_prepare(place->shared);
	else
		sw_node_log("%s: not recorded", error.text);
	open_topology(node);
}

static void remove_cgroups(const struct sw_node *node)
{
	sw_node_remove_cgroup(node->place.cgroup_root_fd);
	sw_node_remove_cgroup(node->place.v1_roots.fd[SW_V1_MEMORY]);
}

static void close_node(struct sw_node *node)
{
	struct sw_node_job *job;

	while ((job = node->jobs)) {
		node->jobs = job->next;
		sw_writer_flush(job->writer, sw_clock_boottime_usec());
		sw_node_job_forget(job);
	}
	sw_deliveries_destroy(node->deliveries);
	/* Their processes are in the cgroup until then. */
	sw_shared_destroy(node->place.shared);
	if (node->place.topology)
		sw_topology_end(node->place.topology);
	if (node->place.summaries_fd >= 0)
		close(node->place.summaries_fd);
	sw_node_socket_close(&node->socket, node->options->socket_path);
	remove_cgroups(node);
}

/* Another recorder serves; for the unit also: recording is switched off. */
static int make_room(int passed_fd, int ready_fd)
{
	if (ready_fd >= 0)
		sw_node_ready(ready_fd);
	else if (passed_fd < 0)
		sw_node_log("another recorder is running");
	return ready_fd >= 0 || passed_fd >= 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int serve(struct sw_node *node, int passed_fd, int ready_fd)
{
	struct sw_error error;
	int status;

	sw_programs_limit(node->options->processes_max);
	sw_programs_prepare(0);
	if (open_node(node, &error) < 0)
		goto complain;
	open_deliveries(node);
	open_summaries(node);
	if (node->options->is_closing) {
		status = sw_node_close_spool(node);
		remove_cgroups(node);
		return status;
	}
	if (sw_node_socket_open(&node->socket, node->options->socket_path,
				passed_fd, &error) < 0)
		goto complain;
	if (ready_fd >= 0)
		sw_node_ready(ready_fd);
	prepare_sources(node);
	name_cluster(node);
	sw_node_cpus_follow_slurmd(node->options->slurm_conf);
	sw_node_adopt(node);
	sw_node_take_drop(node);
	while (!node->is_ending)
		turn(node);
	sw_node_socket_refuse(&node->socket);
	sw_node_receive_all(node);
	sw_node_write_counts(node, true);
	close_node(node);
	return EXIT_SUCCESS;
complain:
	remove_cgroups(node);
	/* The unit was enabled since the lock was taken. */
	if (passed_fd < 0 && sw_node_is_served(node->options->socket_path))
		return make_room(passed_fd, ready_fd);
	sw_node_log("%s; steps on this node are not recorded", error.text);
	return EXIT_FAILURE;
}

int sw_node_run(const struct sw_node_options *options)
{
	int passed_fd = sw_node_passed_socket(), ready_fd = -1, status;
	struct sw_error error;
	struct sw_node *node;

	if (!options->is_closing && access(options->off_path, F_OK) == 0)
		return EXIT_SUCCESS;
	if (options->is_detached)
		ready_fd = sw_node_detach(&error);
	if (options->is_detached && ready_fd < 0)
		goto complain;
	/* Check before creating a cgroup that would not be removed. */
	if (passed_fd < 0 && sw_node_is_served(options->socket_path))
		return make_room(passed_fd, ready_fd);
	sw_node_cpus_begin(options->is_detached);
	sw_node_leave_caller(ready_fd, passed_fd);
	status = sw_node_lock(options, passed_fd >= 0, &error);
	if (status < 0)
		goto complain;
	if (status > 0)
		return make_room(passed_fd, ready_fd);
	node = calloc(1, sizeof(*node));
	if (!node)
		return EXIT_FAILURE;
	sw_rights_keep(SW_RIGHTS_NODE);
	node->options = options;
	if (ready_fd >= 0)
		sw_node_open_log(options->socket_path);
	status = serve(node, passed_fd, ready_fd);
	free(node);
	return status;
complain:
	sw_node_log("%s; steps on this node are not recorded", error.text);
	return EXIT_FAILURE;
}
