/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries that need a live machine. */
#ifndef SW_ANALYZER_DOCTOR_PROBES_H
#define SW_ANALYZER_DOCTOR_PROBES_H

#include "analyzer/doctor/doctor.h"

extern const struct sw_doctor_probes sw_probes_live;

#endif
