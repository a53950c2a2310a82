/* SPDX-License-Identifier: GPL-2.0-or-later */
/* States of jobs: what Slurm prints of them, and what they are counted as. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "common/job_state.h"
#include "test/run_tests.h"

/* Also with flags that it has and may come to have. */
static const struct {
	const char *text;
	enum sw_job_state state;
} texts[] = {
	{ "COMPLETED", SW_JOB_COMPLETED }, { "CD", SW_JOB_COMPLETED },
	{ "COMPLETED,EXPEDITING", SW_JOB_COMPLETED },
	{ "FAILED", SW_JOB_FAILED }, { "F", SW_JOB_FAILED },
	{ "FAILED,EXPEDITING", SW_JOB_FAILED },
	{ "EXPEDITING,FAILED", SW_JOB_FAILED },
	{ "FAILED,GETENV_FAILED", SW_JOB_FAILED },
	{ "TIMEOUT,LATER_FLAG,COMPLETING", SW_JOB_TIMEOUT },
	{ "NODE_FAIL,REQUEUED", SW_JOB_NODE_FAIL },
	{ "NODE_FAIL+REQUEUED", SW_JOB_NODE_FAIL },
	{ "BOOT_FAIL,LATER_FLAG", SW_JOB_BOOT_FAIL },
	{ "DEADLINE", SW_JOB_DEADLINE }, { "DL", SW_JOB_DEADLINE },
	{ "PREEMPTED", SW_JOB_PREEMPTED }, { "PR", SW_JOB_PREEMPTED },
	{ "OUT_OF_MEMORY", SW_JOB_OUT_OF_MEMORY },
	{ "OUT_OF_ME+", SW_JOB_OUT_OF_MEMORY },
	{ "OOM", SW_JOB_OUT_OF_MEMORY },
	{ "CANCELLED by 1000", SW_JOB_CANCELLED },
	{ "CANCELLED+", SW_JOB_CANCELLED }, { "CA", SW_JOB_CANCELLED },
	/* sacct prints one flag in the state's place; only what was cancelled
	 * has a uid. */
	{ "COMPLETING by 1000", SW_JOB_CANCELLED },
	{ "LATER_FLAG by 1000", SW_JOB_CANCELLED },
	{ "REQUEUED", SW_JOB_REQUEUED }, { "REQUEUE_HOLD", SW_JOB_REQUEUED },
	{ "REQUEUE_FED", SW_JOB_REQUEUED }, { "SPECIAL_EXIT", SW_JOB_REQUEUED },
	{ "SPECIAL_E+", SW_JOB_REQUEUED },
	{ "REVOKED", SW_JOB_REVOKED }, { "RESIZING", SW_JOB_RESIZING },
	{ "RUNNING,EXPEDITING", SW_JOB_RUNNING },
	{ "PENDING,REQUEUED", SW_JOB_PENDING }, { "PD", SW_JOB_PENDING },
	{ "SUSPENDED", SW_JOB_SUSPENDED },
	{ "EXPEDITING", SW_JOB_UNKNOWN }, { "LATER_FLAG", SW_JOB_UNKNOWN },
	{ "GETENV_FAILED", SW_JOB_UNKNOWN }, { "OUT_OF_ME", SW_JOB_UNKNOWN },
	{ "FAIL+", SW_JOB_UNKNOWN }, { "OO", SW_JOB_UNKNOWN },
	{ "?", SW_JOB_UNKNOWN }, { "", SW_JOB_UNKNOWN },
};

START_TEST(a_text_has_one_state)
{
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ck_assert_msg(sw_job_state_read(texts[i].text) ==
			      texts[i].state, "%s", texts[i].text);
	ck_assert_str_eq(sw_job_state_by("COMPLETING by 5"), "5");
	ck_assert_ptr_null(sw_job_state_by("CANCELLED"));
}
END_TEST

START_TEST(a_name_is_read_as_its_state)
{
	enum sw_job_state i;

	for (i = SW_JOB_UNKNOWN + 1; i < SW_JOB_STATES; i++) {
		ck_assert_ptr_nonnull(sw_job_state_name(i));
		ck_assert_int_eq(sw_job_state_read(sw_job_state_name(i)), i);
	}
	ck_assert_ptr_null(sw_job_state_name(SW_JOB_UNKNOWN));
	/* Of a damaged file. */
	ck_assert_ptr_null(sw_job_state_name((enum sw_job_state)77));
	ck_assert(!sw_job_state_is_final((enum sw_job_state)77));
}
END_TEST

START_TEST(an_end_is_failed_cancelled_or_neither)
{
	static const struct {
		enum sw_job_state state;
		enum sw_job_end end;
		bool is_final, is_failed, is_from_outside;
	} rows[] = {
		{ SW_JOB_COMPLETED, SW_JOB_END_COMPLETED, true, false, false },
		{ SW_JOB_FAILED, SW_JOB_END_FAILED, true, true, false },
		{ SW_JOB_OUT_OF_MEMORY, SW_JOB_END_OUT_OF_MEMORY, true, true,
		  false },
		{ SW_JOB_TIMEOUT, SW_JOB_END_TIME, true, true, true },
		{ SW_JOB_DEADLINE, SW_JOB_END_DEADLINE, true, true, true },
		{ SW_JOB_NODE_FAIL, SW_JOB_END_NODE, true, true, true },
		{ SW_JOB_BOOT_FAIL, SW_JOB_END_NODE, true, true, true },
		{ SW_JOB_CANCELLED, SW_JOB_END_CANCELLED, true, false, true },
		{ SW_JOB_REVOKED, SW_JOB_END_CANCELLED, true, false, true },
		{ SW_JOB_PREEMPTED, SW_JOB_END_REQUEUED, true, false, true },
		{ SW_JOB_REQUEUED, SW_JOB_END_REQUEUED, true, false, true },
		{ SW_JOB_RESIZING, SW_JOB_END_OTHER, false, false, false },
		{ SW_JOB_RUNNING, SW_JOB_END_OTHER, false, false, false },
		{ SW_JOB_PENDING, SW_JOB_END_OTHER, false, false, false },
		{ SW_JOB_SUSPENDED, SW_JOB_END_OTHER, false, false, false },
		{ SW_JOB_UNKNOWN, SW_JOB_END_OTHER, false, false, false },
	};
	size_t i;

	ck_assert_uint_eq(sizeof(rows) / sizeof(rows[0]), SW_JOB_STATES);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum sw_job_state state = rows[i].state;

		ck_assert_int_eq(sw_job_state_end(state), rows[i].end);
		ck_assert_int_eq(sw_job_state_is_final(state),
				 rows[i].is_final);
		ck_assert_int_eq(sw_job_state_is_failed(state),
				 rows[i].is_failed);
		ck_assert_int_eq(sw_job_state_is_ended_from_outside(state),
				 rows[i].is_from_outside);
	}
}
END_TEST

/* With others, -S and -E of sacct are not of the end. */
START_TEST(the_letters_are_of_those_that_ended)
{
	char letters[SW_JOB_STATE_LETTERS_SIZE];

	ck_assert_str_eq(sw_job_state_letters(letters),
			 "CD,F,CA,TO,OOM,NF,BF,PR,RQ,DL,RS,RV");
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("states");

	tcase_add_test(tcase, a_text_has_one_state);
	tcase_add_test(tcase, a_name_is_read_as_its_state);
	tcase_add_test(tcase, an_end_is_failed_cancelled_or_neither);
	tcase_add_test(tcase, the_letters_are_of_those_that_ended);
	return run_tests("job_state", tcase, NULL);
}
