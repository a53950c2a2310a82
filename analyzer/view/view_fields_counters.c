/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of hardware, kernel and device counters. */
#include "analyzer/view/field_rows.h"

#define KERNEL(member, column, as, key) \
	COLUMN(counters, member, column, as, ADD, key)
#define HARDWARE(member, column, key) \
	COLUMN(counters, member, column, IS, ADD, key)

const struct sw_field sw_kernel_fields[] = {
	KERNEL(counted_usec, "cpu_usec", SECONDS, "counted_core_seconds"),
	KERNEL(page_faults, "page_faults", IS, "page_faults"),
	KERNEL(major_faults, "major_faults", IS, "major_faults"),
	KERNEL(context_switches, "context_switches", IS, "context_switches"),
	KERNEL(cpu_migrations, "cpu_migrations", IS, "cpu_migrations"),
	FIELD(counters, is_user_only, IS, ANY, "is_user_only"),
	END
};

const struct sw_field sw_hardware_fields[] = {
	COLUMN(counters, hw_usec, "enabled_usec", SECONDS, ADD,
	       "counted_core_seconds"),
	STOP,	/* share of time in which it was counted */
	HARDWARE(hw_counted_usec, "running_usec", NULL),
	HARDWARE(instructions, "instructions", "instructions"),
	HARDWARE(cycles, "cycles", "cycles"),
	HARDWARE(ref_cycles, "ref_cycles", "reference_cycles"),
	HARDWARE(stalled_cycles, "stalled_cycles", "stalled_cycles"),
	HARDWARE(llc_misses, "llc_misses", "llc_misses"),
	HARDWARE(branch_misses, "branch_misses", "branch_misses"),
	HARDWARE(fp_counted_usec, "fp_running_usec", NULL),
	HARDWARE(fp_operations, "fp_operations", NULL),
	HARDWARE(fp_double[0], "fp_double_scalar", NULL),
	HARDWARE(fp_double[1], "fp_double_128", NULL),
	HARDWARE(fp_double[2], "fp_double_256", NULL),
	HARDWARE(fp_double[3], "fp_double_512", NULL),
	HARDWARE(fp_single_counted_usec, "fp_single_running_usec", NULL),
	HARDWARE(fp_single[0], "fp_single_scalar", NULL),
	HARDWARE(fp_single[1], "fp_single_128", NULL),
	HARDWARE(fp_single[2], "fp_single_256", NULL),
	HARDWARE(fp_single[3], "fp_single_512", NULL),
	END
};

const struct sw_field sw_network_fields[] = {
	FIELD(network, received_bytes, IS, ADD, "received_bytes"),
	FIELD(network, received_packets, IS, ADD, "received_packets"),
	FIELD(network, sent_bytes, IS, ADD, "sent_bytes"),
	FIELD(network, sent_packets, IS, ADD, "sent_packets"),
	FIELD(network, loopback_received_bytes, IS, ADD,
	      "loopback_received_bytes"),
	FIELD(network, loopback_sent_bytes, IS, ADD, "loopback_sent_bytes"),
	FIELD(network, source, IS, KNOWN, "source"),
	END
};

const struct sw_field sw_energy_fields[] = {
	FIELD(energy, node_uj, JOULES_OF_UJ, ADD, "node_joules"),
	FIELD(energy, cpu_share, IS, OWN, "cpu_share"),
	FIELD(energy, step_uj, JOULES_OF_UJ, ADD, "estimated_joules"),
	END
};

#define AROUND(member, as, fold, key) \
	FIELD(surroundings, member, as, fold, key)

const struct sw_field sw_surroundings_fields[] = {
	AROUND(busy_usec, SECONDS, ADD, "busy_core_seconds"),
	AROUND(other_usec, SECONDS, ADD, "other_core_seconds"),
	AROUND(other_jobs_usec, SECONDS, ADD, "other_jobs_core_seconds"),
	AROUND(idle_usec, SECONDS, ADD, "idle_core_seconds"),
	AROUND(iowait_usec, SECONDS, ADD, "iowait_core_seconds"),
	AROUND(steal_usec, SECONDS, ADD, "steal_core_seconds"),
	AROUND(available_bytes, IS, MIN, "available_bytes"),
	AROUND(memory_read_bytes, IS, ADD, "memory_read_bytes"),
	AROUND(memory_written_bytes, IS, ADD, "memory_written_bytes"),
	END
};

const struct sw_field sw_link_fields[] = {
	FIELD(link, kind, IS, OWN, "kind"),
	FIELD(link, name, IS, OWN, "name"),
	FIELD(link, detail, IS, OWN, "detail"),
	FIELD(link, received_bytes, IS, OWN, "received_bytes"),
	FIELD(link, sent_bytes, IS, OWN, "sent_bytes"),
	FIELD(link, errors, IS, OWN, "errors"),
	FIELD(link, bits_per_sec, IS, OWN, "bits_per_second"),
	FIELD(link, peak_utilization, IS, OWN, "peak_utilization"),
	FIELD(link, full_usec, SECONDS, OWN, "saturated_seconds"),
	END
};

const struct sw_field sw_reading_fields[] = {
	FIELD(reading, kind, IS, OWN, "kind"),
	FIELD(reading, name, IS, OWN, "name"),
	FIELD(reading, detail, IS, OWN, "detail"),
	FIELD(reading, events, IS, OWN, "events"),
	FIELD(reading, last, IS, OWN, "last"),
	FIELD(reading, smallest, IS, OWN, "smallest"),
	FIELD(reading, largest, IS, OWN, "largest"),
	END
};

#define GPU(member, as, key) FIELD(gpu, member, as, OWN, key)

const struct sw_field sw_gpu_fields[] = {
	GPU(name, IS, "name"),
	GPU(model, IS, "model"),
	GPU(uuid, IS, "uuid"),
	GPU(node, IS, "node"),
	GPU(source, IS, "source"),
	GPU(is_mig, IS, "is_mig"),
	GPU(is_used, IS, "is_used"),
	GPU(processes, IS, "processes"),
	GPU(busy_ratio, IS, "utilization"),
	GPU(own_busy_ratio, IS, "own_utilization"),
	GPU(memory_busy_ratio, IS, "memory_utilization"),
	GPU(memory_total_bytes, IS, "memory_bytes"),
	GPU(memory_used_bytes, IS, "memory_peak_bytes"),
	GPU(own_memory_bytes, IS, "own_memory_peak_bytes"),
	GPU(mean_watts, IS, "mean_watts"),
	GPU(energy_mj, JOULES_OF_MJ, "energy_joules"),
	GPU(celsius_max, IS, "celsius_max"),
	GPU(slowed_ratio, IS, "slowdown_share"),
	GPU(power_capped_ratio, IS, "power_cap_share"),
	GPU(pcie_sent_bytes, IS, "pcie_sent_bytes"),
	GPU(pcie_received_bytes, IS, "pcie_received_bytes"),
	GPU(nvlink_sent_bytes, IS, "nvlink_sent_bytes"),
	GPU(nvlink_received_bytes, IS, "nvlink_received_bytes"),
	GROUP("errors"),
	GPU(ecc_corrected, IS, "ecc_corrected"),
	GPU(ecc_uncorrected, IS, "ecc_uncorrected"),
	GPU(xids, IS, "xids"),
	GPU(last_xid, IS, "last_xid"),
	GPU(rows_remapped, IS, "rows_remapped"),
	GPU(pages_retired, IS, "pages_retired"),
	GPU(is_remap_pending, BOOL, "is_remap_pending"),
	GPU(has_remap_failed, BOOL, "has_remap_failed"),
	GPU(status, IS, "status"),
	END
};
