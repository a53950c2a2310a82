/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check that the recorder stays on the CPUs reserved by the site.  slurmd runs
 * on these, or off them with SlurmdOffSpec, and the recorder where slurmd does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/doctor/doctor.h"
#include "analyzer/doctor/node_processes.h"

/* A list of every second of 1024 CPUs takes 2500 bytes. */
enum { LIST_SIZE = 4096, STATUS_SIZE = 16384 };

/* Accept only characters that the kernel uses in such a list. */
static bool read_list(const struct sw_doctor *doctor, const char *pid,
		      char *list)
{
	static const char key[] = "\nCpus_allowed_list:";
	char path[64], text[STATUS_SIZE], *at;
	size_t length;

	snprintf(path, sizeof(path), "/proc/%.16s/status", pid);
	if (sw_doctor_read(doctor, path, text, sizeof(text)) <= 0)
		return false;
	at = strstr(text, key);
	if (!at)
		return false;
	at += strlen(key);
	at += strspn(at, " \t");
	length = strspn(at, "0123456789,-");
	if (length == 0)
		return false;
	snprintf(list, LIST_SIZE, "%.*s", (int)length, at);
	return true;
}

/* Find the CPUs of the oldest such process; false if there is none. */
static bool find_list(const struct sw_doctor *doctor, const char *name,
		      const char *argument, char *list)
{
	char pid[SW_PID_SIZE];

	return sw_node_process_find(doctor, name, argument, pid) &&
	       read_list(doctor, pid, list);
}

static size_t count_list(const char *list)
{
	size_t count = 0;
	unsigned long first, last;
	char *end;

	for (; *list; list = *end == ',' ? end + 1 : end) {
		first = last = strtoul(list, &end, 10);
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (end == list || last < first)
			break;
		count += last - first + 1;
	}
	return count;
}

void sw_check_cpus(const struct sw_doctor *doctor, struct sw_answer *answer)
{
	char slurmd[LIST_SIZE], own[LIST_SIZE], online[LIST_SIZE] = "";
	bool is_part;

	if (!find_list(doctor, "slurmd", NULL, slurmd)) {
		sw_answer_skip(answer, "slurmd is not running",
			       "slurmd is not running, so its CPUs are not "
			       "known");
		return;
	}
	if (!find_list(doctor, "stepwell-record", "--node", own)) {
		sw_answer_skip(answer, "the recorder is not running",
			       "the node's recorder is not running; slurmd "
			       "uses CPUs %.100s", slurmd);
		return;
	}
	if (sw_doctor_read(doctor, "/sys/devices/system/cpu/online", online,
			   sizeof(online)) <= 0) {
		sw_answer_skip(answer, "CPUs not known",
			       "/sys/devices/system/cpu/online cannot be read, "
			       "so whether CPUs are reserved is not known");
		return;
	}
	is_part = count_list(slurmd) < count_list(online);
	if (is_part && strcmp(slurmd, own) != 0) {
		sw_answer_warn(answer, "not on slurmd's CPUs",
			       "slurmd is confined to CPUs %.100s, the "
			       "recorder to %.100s: it takes time from jobs "
			       "although CPUs are reserved for such services",
			       slurmd, own);
		sw_answer_fix(answer, sw_recorder_has_units(doctor) ?
			      "systemctl restart stepwell-recorder.service" :
			      "systemctl restart slurmd");
	} else if (is_part) {
		sw_answer_ok(answer, "the recorder is confined to CPUs %.100s, "
			     "as slurmd is", own);
	} else {
		sw_answer_ok(answer, "slurmd may use all CPUs, none is "
			     "reserved; the recorder uses %.100s", own);
	}
}
