/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: a child that is about to work for another user.
 *
 * Dropping privileges.
 */
#include "recorder/kernel/become.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "recorder/kernel/rights.h"

enum { CAPABILITY_MAX = 63 };	/* a set has 64 bits in any kernel */

int sw_become(uid_t uid, gid_t gid)
{
	uid_t real, effective, saved;
	unsigned long capability;

	/* Before the change: afterwards the user could attach to it. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return -1;
	if (geteuid() == 0 && setgroups(0, NULL) < 0)
		return -1;
	/* Capabilities are lost with the uid; make sure none are regained. */
	for (capability = 0; capability <= CAPABILITY_MAX; capability++)
		prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
	if (setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
		return -1;
	/* Do not trust a kernel that reported success without the change. */
	if (getresuid(&real, &effective, &saved) < 0 || real != uid ||
	    effective != uid || saved != uid) {
		errno = EPERM;
		return -1;
	}
	return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void sw_become_limit(int resource, rlim_t value)
{
	const struct rlimit both = { value, value };

	setrlimit((__rlimit_resource_t)resource, &both);
}

void sw_become_child(pid_t parent)
{
	sigset_t none;
	int i;

	for (i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
}

int sw_become_alone(uid_t uid, gid_t gid)
{
	/*
	 * The user may have many processes elsewhere, so lift the limit; forbid
	 * new ones only afterwards, else execve(2) could fail.
	 */
	sw_become_limit(RLIMIT_NPROC, RLIM_INFINITY);
	if (sw_become(uid, gid) < 0)
		return -1;
	/* For a step of root the uid does not change, so drop them here. */
	sw_rights_keep(SW_RIGHTS_NONE);
	sw_become_limit(RLIMIT_NPROC, 0);
	return 0;
}
