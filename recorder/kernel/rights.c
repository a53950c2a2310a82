/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Required capabilities and the reasons. */
#include "recorder/kernel/rights.h"

#include <linux/capability.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than some headers. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#define CAP_BPF 39
#endif

#define BIT(capability) (UINT64_C(1) << (capability))

/* To deliver profiles to their users under their user ids. */
#define DELIVERING ( \
	BIT(CAP_SETUID) | BIT(CAP_SETGID) |	/* change to the user */ \
	BIT(CAP_KILL) |		/* kill a stuck child of the user */ \
	BIT(CAP_CHOWN) | BIT(CAP_FOWNER) |	/* give him his directory */ \
	BIT(CAP_DAC_OVERRIDE) |	/* in a directory not owned by root */ \
	BIT(CAP_SETPCAP))	/* children drop the rest */

#define RECORDING ( \
	BIT(CAP_BPF) | BIT(CAP_PERFMON) |	/* tracing; task/CPU events */ \
	BIT(CAP_NET_ADMIN) |	/* count packets of a cgroup */ \
	BIT(CAP_SYS_PTRACE) |	/* /proc/PID/io, links and the like ... */ \
	BIT(CAP_DAC_READ_SEARCH) |	/* ... owned by their users */ \
	BIT(CAP_SYS_NICE))	/* CPUs of its children of any user */

/*
 * Before Linux 5.8 there were no narrower ones, and the systemd of a unit may
 * not support these.
 */
#define RECORDING_BEFORE_5_8 (BIT(CAP_SYS_ADMIN) | BIT(CAP_SYS_RESOURCE))

enum { CAPABILITIES = 64, WORD_BITS = 32 };

static uint64_t bits_of(enum sw_rights rights)
{
	switch (rights) {
	case SW_RIGHTS_NODE:
		return RECORDING | DELIVERING |
		       (prctl(PR_CAPBSET_READ, CAP_BPF) == 1 ?
			0 : RECORDING_BEFORE_5_8);
	case SW_RIGHTS_DELIVERER:
		return DELIVERING;
	case SW_RIGHTS_NONE:
		break;
	}
	return 0;
}

static void set(uint64_t keep)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	size_t i;

	if (syscall(SYS_capget, &head, data) < 0)
		return;
	for (i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		data[i].permitted &= (uint32_t)(keep >> i * WORD_BITS);
		data[i].effective = data[i].permitted;
		data[i].inheritable = 0;
	}
	syscall(SYS_capset, &head, data);
}

void sw_rights_keep(enum sw_rights rights)
{
	uint64_t keep = bits_of(rights);
	unsigned long i;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	for (i = 0; i < CAPABILITIES; i++) {
		if (!(keep & BIT(i)))
			prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
	}
	set(keep);
}
