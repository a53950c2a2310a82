/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code shared by the rules about GPUs. */
#ifndef SW_ANALYZER_RULE_GPU_H
#define SW_ANALYZER_RULE_GPU_H

#include "analyzer/rules/rule.h"

enum { SW_GPU_NAME_SIZE = 512 };

/* Format "GPU 0 (NVIDIA H100)"; untrusted text from the profile. */
char *sw_gpu_name(char *buf, size_t size, const struct sw_view_gpu *gpu);

/* Return why no finding about GPUs means nothing; NULL if a GPU was used. */
const char *sw_gpu_blind_to(const struct sw_view *view);

/* Likewise for rules that need GPU utilization, which MIG instances lack. */
const char *sw_gpu_blind_to_use(const struct sw_view *view);

/* Like sw_finding_add(), with the GPU as subject. */
struct sw_finding *sw_gpu_finding(struct sw_findings *findings,
				  const struct sw_view_gpu *gpu, const char *id,
				  enum sw_severity severity, double confidence,
				  const struct sw_evidence *evidence);

/*
 * Return NULL if is_told() holds for a GPU that the step used (any GPU, if it
 * is NULL), the text otherwise if the step used GPUs, or that it used none.
 */
const char *sw_gpu_blind_unless(const struct sw_view *view,
				bool (*is_told)(const struct sw_view_gpu *gpu),
				const char *otherwise);

#endif
