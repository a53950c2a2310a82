/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules about GPUs have in common. */
#ifndef SW_ANALYZER_RULE_GPU_H
#define SW_ANALYZER_RULE_GPU_H

#include "analyzer/rule.h"

enum { SW_GPU_NAME_SIZE = 512 };

/* "GPU 0 (NVIDIA H100)"; of the profile, hence hostile. */
char *sw_gpu_name(char *buf, size_t size, const struct sw_view_gpu *gpu);

/* Why no finding about GPUs means nothing; NULL where a GPU was used. */
const char *sw_gpu_blind_to(const struct sw_view *view);

/* The same of a rule that asks how busy it was: instances do not tell. */
const char *sw_gpu_blind_to_use(const struct sw_view *view);

#endif
