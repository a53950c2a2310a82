/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write rows of steps and jobs where no user can change them. */
#ifndef SW_RECORDER_SUMMARY_ROWS_H
#define SW_RECORDER_SUMMARY_ROWS_H

#include "recorder/jobs/step.h"

/* Update the maxima after each sample. */
void sw_node_summary_watch(struct sw_node_step *step);

/*
 * Send the step's row, with its programs, to the writer of summaries, at the
 * step's end after its last sample.
 */
void sw_node_summary_step(struct sw_node_step *step,
			  const struct sw_node_place *place, uint64_t end_usec,
			  const char *final_source);

/*
 * Send a row that corrects the status, for a task whose end was received late.
 */
void sw_node_summary_correct(const struct sw_message_step *id, int socket_fd,
			     const char *step_id, uint64_t start_usec,
			     int wait_status);

/* Send a row for a finished profile in the spool, with its digest. */
void sw_node_summary_profile(const struct sw_message_step *id, int socket_fd,
			     int spool_fd, const char *name);

/* Return the number of samples of the step by all recorders. */
uint64_t sw_node_summary_samples(const struct sw_node_step *step);

#endif
