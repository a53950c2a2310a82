/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules about GPUs have in common. */
#ifndef SW_ANALYZER_RULE_GPU_H
#define SW_ANALYZER_RULE_GPU_H

#include "analyzer/rules/rule.h"

enum { SW_GPU_NAME_SIZE = 512 };

/* "GPU 0 (NVIDIA H100)"; of the profile, hence hostile. */
char *sw_gpu_name(char *buf, size_t size, const struct sw_view_gpu *gpu);

/* Why no finding about GPUs means nothing; NULL where a GPU was used. */
const char *sw_gpu_blind_to(const struct sw_view *view);

/* The same of a rule that asks how busy it was: instances do not tell. */
const char *sw_gpu_blind_to_use(const struct sw_view *view);

/* As sw_finding_add(), with the GPU as its subject. */
struct sw_finding *sw_gpu_finding(struct sw_findings *findings,
				  const struct sw_view_gpu *gpu, const char *id,
				  enum sw_severity severity, double confidence,
				  const struct sw_evidence *evidence);

/*
 * NULL where is_told() holds of a GPU that the step used, or is NULL and there
 * is such a GPU; otherwise, where there is one; else that there is none.
 */
const char *sw_gpu_blind_unless(const struct sw_view *view,
				bool (*is_told)(const struct sw_view_gpu *gpu),
				const char *otherwise);

#endif
