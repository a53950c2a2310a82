/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Capabilities: each process of the recorder has only what it needs, even if it
 * was started without its unit.  The reasons are in rights.c;
 * CapabilityBoundingSet= in the unit is the list for the node.
 */
#ifndef SW_RECORDER_RIGHTS_H
#define SW_RECORDER_RIGHTS_H

enum sw_rights {
	SW_RIGHTS_NODE,		/* the recorder of a node */
	SW_RIGHTS_DELIVERER,	/* changes to other users */
	SW_RIGHTS_NONE,
};

/*
 * Drop all other capabilities for good, in the bounding set too, and what
 * execve() could add.  Applies to this thread and those that it starts; call
 * before there are others.  Failures are ignored: without privileges there is
 * nothing to drop.
 */
void sw_rights_keep(enum sw_rights rights);

#endif
