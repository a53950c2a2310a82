/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of slurm.conf, including included files. */
#include "common/slurm_conf.h"
#include "test/run_tests.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/check-slurm-conf-XXXXXX";

static char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void put(const char *name, const char *text)
{
	FILE *file = fopen(path_of(name), "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void is(const char *key, const char *expected)
{
	char value[32];

	sw_slurm_conf_here(path_of("slurm.conf"), key, value, sizeof(value));
	ck_assert_str_eq(value, expected);
}

START_TEST(lines)
{
	put("slurm.conf", "# ClusterName=no\n\tclustername = one # two\n"
	    "PluginDir=\"/a:/b\"\nProctrackTypes=no\nEmpty=\n"
	    "Long=12345678901234567890123456789012\n");
	is("ClusterName", "one");
	is("PluginDir", "/a:/b");
	is("ProctrackType", "");
	is("Empty", "");
	is("Long", "");
	is("SlurmdPidFile", "");
}
END_TEST

/* Slurm uses the last one, and reports it. */
START_TEST(the_last_one_counts)
{
	put("slurm.conf", "ClusterName=one\nInclude more.conf\n"
	    "ClusterName=three\nInclude none.conf\n");
	put("more.conf", "ClusterName=two\nPluginDir=/c\n");
	is("ClusterName", "three");
	is("PluginDir", "/c");
}
END_TEST

/* A file that includes itself must not loop. */
START_TEST(includes)
{
	char text[256];

	snprintf(text, sizeof(text), "include %s # absolute\n",
		 path_of("more.conf"));
	put("slurm.conf", text);
	put("more.conf", "INCLUDE more.conf\nClusterName=deep\nincluded=no\n");
	is("ClusterName", "deep");
	is("d", "");
}
END_TEST

START_TEST(no_file)
{
	unlink(path_of("slurm.conf"));
	is("ClusterName", "");
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("slurm_conf");
	int failed;

	if (!mkdtemp(folder))
		return 99;
	tcase_add_test(tcase, lines);
	tcase_add_test(tcase, the_last_one_counts);
	tcase_add_test(tcase, includes);
	tcase_add_test(tcase, no_file);
	failed = run_tests("slurm_conf", tcase, NULL);
	unlink(path_of("slurm.conf"));
	unlink(path_of("more.conf"));
	rmdir(folder);
	return failed;
}
