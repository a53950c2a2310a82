/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: topology's child.
 *
 * The node's topology from hwloc.  If hwloc is not built in, or fails to load,
 * the caller uses topology_sys.c.
 */
#include "recorder/topology/topology.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/missing.h"
#include "config.h"

#ifdef HAVE_HWLOC
#include <hwloc.h>

/* Return the number of the ancestor of this type, or SW_MISSING. */
static uint64_t above(hwloc_topology_t hwloc, hwloc_obj_t pu,
		      hwloc_obj_type_t type)
{
	hwloc_obj_t object = hwloc_get_ancestor_obj_by_type(hwloc, type, pu);

	return object ? object->logical_index : SW_MISSING;
}

/* The model belongs to the package; on some architectures to the machine. */
static void take_model(struct sw_topology *topology, hwloc_topology_t hwloc)
{
	hwloc_obj_t object = hwloc_get_obj_by_type(hwloc, HWLOC_OBJ_PACKAGE, 0);
	const char *model = NULL;
	size_t i;

	for (; object && !model; object = object->parent)
		model = hwloc_obj_get_info_by_name(object, "CPUModel");
	snprintf(topology->cpu_model, sizeof(topology->cpu_model), "%s",
		 model ? model : "");
	/* The cache stores it on one line. */
	for (i = 0; topology->cpu_model[i]; i++) {
		if (!isprint((unsigned char)topology->cpu_model[i]))
			topology->cpu_model[i] = '?';
	}
}

/* If there are several kinds of local memory, the first is the usual one. */
static uint64_t numa_of(hwloc_obj_t pu)
{
	int first = pu->nodeset ? hwloc_bitmap_first(pu->nodeset) : -1;

	return first < 0 ? SW_MISSING : (uint64_t)first;
}

static int take_pus(struct sw_topology *topology, hwloc_topology_t hwloc,
		    struct sw_error *error)
{
	int count = hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_PU), i;

	if (count <= 0 || count > SW_CPUS_MAX)
		return sw_error_set(error, "hwloc counts %d processing units",
				    count);
	if (sw_topology_reserve(topology, (size_t)count) < 0)
		return sw_error_errno(error, "topology");
	for (i = 0; i < count; i++) {
		hwloc_obj_t pu = hwloc_get_obj_by_type(hwloc, HWLOC_OBJ_PU,
						       (unsigned)i);

		topology->pus[i] = (struct sw_topology_pu){
			.pu = pu->os_index,
			.core = above(hwloc, pu, HWLOC_OBJ_CORE),
			.l3 = above(hwloc, pu, HWLOC_OBJ_L3CACHE),
			.numa = numa_of(pu),
			.package = above(hwloc, pu, HWLOC_OBJ_PACKAGE),
		};
	}
	sw_topology_sort(topology);
	take_model(topology, hwloc);
	return 0;
}

/* Use this machine, not one named by an environment variable. */
static int set_up(hwloc_topology_t hwloc,
		  const struct sw_topology_origin *origin)
{
	if (origin->synthetic)
		return hwloc_topology_set_synthetic(hwloc, origin->synthetic);
	if (origin->xml)
		return hwloc_topology_set_xml(hwloc, origin->xml);
	/*
	 * This component binds the calling process to every CPU in turn.  The
	 * flag that prevents it, of hwloc 2.5, is newer than hwloc in RHEL 9.
	 */
	if (hwloc_topology_set_components(
		    hwloc, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86") < 0)
		return -1;
	return hwloc_topology_set_flags(hwloc,
					HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
}

static int write_xml(hwloc_topology_t hwloc, int fd, struct sw_error *error)
{
	char *text = NULL;
	int length = 0, rc = 0;
	ssize_t written;

	if (hwloc_topology_export_xmlbuffer(hwloc, &text, &length, 0) < 0)
		return sw_error_errno(error, "hwloc's XML");
	/* The length includes the NUL. */
	written = write(fd, text, (size_t)length - 1);
	if (written != length - 1)
		rc = sw_error_errno(error, "hwloc's XML");
	hwloc_free_xmlbuffer(hwloc, text);
	return rc;
}

int sw_topology_by_hwloc(struct sw_topology *topology,
			 const struct sw_topology_origin *origin, int xml_fd,
			 struct sw_error *error)
{
	hwloc_topology_t hwloc;
	int rc;

	if (hwloc_get_api_version() >> 16 != HWLOC_API_VERSION >> 16)
		return sw_error_set(error, "hwloc's version differs from the "
				    "one stepwell was built with");
	if (hwloc_topology_init(&hwloc) < 0)
		return sw_error_errno(error, "hwloc");
	if (set_up(hwloc, origin) < 0 || hwloc_topology_load(hwloc) < 0) {
		sw_error_errno(error, "hwloc");
		rc = -1;
	} else {
		rc = take_pus(topology, hwloc, error);
		if (rc == 0 && xml_fd >= 0)
			rc = write_xml(hwloc, xml_fd, error);
		if (rc == 0 && xml_fd >= 0 &&
		    sw_digest(xml_fd, topology->digest) < 0)
			rc = sw_error_errno(error, "hwloc's XML");
	}
	hwloc_topology_destroy(hwloc);
	if (rc < 0)
		sw_topology_fini(topology);
	else
		strcpy(topology->source, "hwloc");
	return rc;
}
#else
int sw_topology_by_hwloc(struct sw_topology *topology,
			 const struct sw_topology_origin *origin, int xml_fd,
			 struct sw_error *error)
{
	(void)topology;
	(void)origin;
	(void)xml_fd;
	errno = ENOSYS;
	return sw_error_set(error, "stepwell was built without hwloc");
}
#endif
