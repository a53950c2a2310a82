/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept of steps and jobs where no user can change it. */
#ifndef SW_RECORDER_SUMMARY_ROWS_H
#define SW_RECORDER_SUMMARY_ROWS_H

#include "recorder/jobs/step.h"

/* After each sample: the largest need so far. */
void sw_node_summary_watch(struct sw_node_step *step);

/*
 * At the step's end, after its last sample: hand its row over to the writer
 * of summaries at socket_fd (-1: there is none).
 */
void sw_node_summary_step(struct sw_node_step *step, int socket_fd,
			  uint64_t end_usec, const char *final_source);

/*
 * A row for what came behind the step's own: its status, from a task whose
 * end was told late.
 */
void sw_node_summary_correct(const struct sw_message_step *id, int socket_fd,
			     const char *step_id, uint64_t start_usec,
			     int wait_status);

/* A finished profile of the spool, with its digest. */
void sw_node_summary_profile(const struct sw_message_step *id, int socket_fd,
			     int spool_fd, const char *name);

/* All samples of the step, by whichever recorder. */
uint64_t sw_node_summary_samples(const struct sw_node_step *step);

#endif
