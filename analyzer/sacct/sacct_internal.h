/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields asked from sacct, in their order. */
#ifndef SW_ANALYZER_SACCT_INTERNAL_H
#define SW_ANALYZER_SACCT_INTERNAL_H

enum {
	ACCT_ID, ACCT_STATE, ACCT_EXIT, ACCT_START, ACCT_END, ACCT_ELAPSED,
	ACCT_LIMIT, ACCT_CPUS, ACCT_NODE_COUNT, ACCT_TASKS, ACCT_REQUESTED,
	ACCT_USED, ACCT_RSS, ACCT_CLUSTER, ACCT_USER, ACCT_NODES, ACCT_FIELDS,
};

#define ACCT_FORMAT \
	"JobID,State,ExitCode,Start,End,ElapsedRaw,TimelimitRaw,AllocCPUS," \
	"NNodes,NTasks,ReqMem,TotalCPU,MaxRSS,Cluster,User,NodeList"

#endif
