/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Capabilities: what each process of the recorder needs, and nothing else,
 * also where it was started without its unit.  rights.c has the reasons; the
 * unit's CapabilityBoundingSet= is the node's list.
 */
#ifndef SW_RECORDER_RIGHTS_H
#define SW_RECORDER_RIGHTS_H

enum sw_rights {
	SW_RIGHTS_NODE,		/* the recorder of a node */
	SW_RIGHTS_DELIVERER,	/* who becomes the users */
	SW_RIGHTS_NONE,
};

/*
 * Give all others up for good, in the bounding set, too, with what executing
 * a program could bring.  Of this thread and those that it starts; before
 * there are others.  What cannot be given up, without rights, was not there.
 */
void sw_rights_keep(enum sw_rights rights);

#endif
