/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The doctor's checks of Slurm with trees of files: each check's OK and each
 * possible fault.
 */
#include <check.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/doctor/elf_symbol.h"
#include "test/unit/analyzer/doctor/doctor_kit.h"

#define LIB "usr/lib/x86_64-linux-gnu/slurm-wlm/"

/* File of a plugin: a shared object with the two numbers. */
struct image {
	ElfW(Ehdr) header;
	ElfW(Phdr) segment;
	ElfW(Shdr) sections[3];
	ElfW(Sym) symbols[3];
	char strings[64];
	uint32_t numbers[2];
};

static const char strings[] = "\0plugin_version\0spank_plugin_version";

/* Use this machine's class, byte order and processor, from this program. */
static void copy_identity(ElfW(Ehdr) *header)
{
	FILE *file = fopen("/proc/self/exe", "r");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fread(header, sizeof(*header), 1, file), 1);
	fclose(file);
}

static void make_image(struct image *image, uint32_t version, bool is_spank)
{
	memset(image, 0, sizeof(*image));
	copy_identity(&image->header);
	image->header.e_type = ET_DYN;
	image->header.e_phoff = offsetof(struct image, segment);
	image->header.e_phentsize = sizeof(image->segment);
	image->header.e_phnum = 1;
	image->header.e_shoff = offsetof(struct image, sections);
	image->header.e_shentsize = sizeof(image->sections[0]);
	image->header.e_shnum = 3;
	image->segment.p_type = PT_LOAD;
	image->segment.p_vaddr = 0x1000;
	image->segment.p_filesz = sizeof(*image);
	image->sections[1].sh_type = SHT_DYNSYM;
	image->sections[1].sh_offset = offsetof(struct image, symbols);
	image->sections[1].sh_size = sizeof(image->symbols);
	image->sections[1].sh_entsize = sizeof(image->symbols[0]);
	image->sections[1].sh_link = 2;
	image->sections[2].sh_type = SHT_STRTAB;
	image->sections[2].sh_offset = offsetof(struct image, strings);
	image->sections[2].sh_size = sizeof(image->strings);
	memcpy(image->strings, strings, sizeof(strings));
	image->symbols[1].st_name = 1;
	image->symbols[1].st_shndx = 1;
	image->symbols[1].st_size = sizeof(uint32_t);
	image->symbols[1].st_value = 0x1000 + offsetof(struct image, numbers);
	image->symbols[2] = image->symbols[1];
	image->symbols[2].st_name = is_spank ? 16 : 1;
	image->symbols[2].st_value += sizeof(uint32_t);
	image->numbers[0] = version;
	image->numbers[1] = 1;
}

static void put_image(const char *path, uint32_t version, bool is_spank)
{
	struct image image;

	make_image(&image, version, is_spank);
	kit_put_bytes(path, &image, sizeof(image));
}

/* A node without faults. */
static void make_node(void)
{
	kit_put("etc/slurm/slurm.conf", "ClusterName=t\n"
		"ProctrackType=proctrack/cgroup\n");
	kit_put("etc/slurm/plugstack.conf", "# plugins\n"
		"include /etc/slurm/plugstack.d/*.conf\n");
	kit_put("etc/slurm/plugstack.d/stepwell.conf",
		"optional  stepwell.so quiet wait_ms=20 # comment\n");
	put_image(LIB "stepwell.so", 0x160508, true);
	put_image(LIB "task_cgroup.so", 0x16050b, false);
}

static const char *release_line;

static int say_release(const char *const *argv, char *line, size_t size)
{
	if (!release_line || strcmp(argv[0], "scontrol") != 0)
		return -1;
	snprintf(line, size, "%s", release_line);
	return 0;
}

START_TEST(plugstack_is_followed_through_includes)
{
	make_node();
	kit_ask(sw_check_plugstack, SW_HEALTH_OK, "stepwell.conf:1: optional");
	kit_put("etc/slurm/plugstack.conf", "include plugstack.d/step*\n");
	kit_ask(sw_check_plugstack, SW_HEALTH_OK, "stepwell.conf:1");
	kit_put("etc/slurm/slurm.conf", "plugstackconfig = /opt/p.conf\n");
	kit_ask(sw_check_plugstack, SW_HEALTH_FAIL, "/opt/p.conf has no line");
	kit_put("opt/p.conf", "optional /x/stepwell.so\n");
	kit_ask(sw_check_plugstack, SW_HEALTH_OK, "optional /x/stepwell.so");
}
END_TEST

START_TEST(plugstack_that_is_wrong)
{
	kit_ask(sw_check_plugstack, SW_HEALTH_SKIP, "no slurm.conf");
	kit_put("etc/slurm/slurm.conf", "ClusterName=t\n");
	kit_ask(sw_check_plugstack, SW_HEALTH_FAIL,
		"/etc/slurm/plugstack.conf has no line");
	kit_fix("echo 'optional stepwell.so' >>/etc/slurm/plugstack.conf && "
		"systemctl restart slurmd");
	kit_put("etc/slurm/plugstack.conf", "# optional stepwell.so\n"
		"optional other.so stepwell.so\n");
	kit_ask(sw_check_plugstack, SW_HEALTH_FAIL, "has no line");
	kit_put("etc/slurm/plugstack.conf", "required stepwell.so\n");
	kit_ask(sw_check_plugstack, SW_HEALTH_WARN, "\"required\"");
	kit_put("etc/slurm/plugstack.conf", "optional stepwell.so\n"
		"optional /usr/lib/stepwell.so\n");
	kit_ask(sw_check_plugstack, SW_HEALTH_WARN, "2 lines load");
	kit_put("etc/slurm/plugstack.conf", "optional stepwell.so\n"
		"include /etc/slurm/d/*\n");
	kit_link("etc/slurm/d/gone", "nowhere");
	kit_ask(sw_check_plugstack, SW_HEALTH_WARN, "/etc/slurm/d/gone");
	/* A file that includes itself must not loop. */
	kit_put("etc/slurm/plugstack.conf", "include plugstack.conf\n");
	kit_ask(sw_check_plugstack, SW_HEALTH_FAIL, "has no line");
}
END_TEST

/* Slurm separates words by blanks, tabs and newlines, and by nothing else. */
START_TEST(plugstack_with_what_is_no_blank)
{
	static const struct {
		const char *text;
		enum sw_health health;
		const char *words;
	} lines[] = {
		{ "optional stepwell.so\r\n", SW_HEALTH_FAIL,
		  "plugstack.conf:1 has a carriage return" },
		{ "required stepwell.so\r\n", SW_HEALTH_FAIL, "not loaded" },
		{ "\xef\xbb\xbfoptional stepwell.so\n", SW_HEALTH_FAIL,
		  "a byte-order mark" },
		{ "optional\xc2\xa0stepwell.so\n", SW_HEALTH_FAIL,
		  "a no-break space" },
		{ "optional stepwell.so\xc2\xa0\n", SW_HEALTH_FAIL,
		  "a no-break space" },
		{ "\n\ninclude d/*\r\n", SW_HEALTH_FAIL,
		  "plugstack.conf:3 has a carriage return" },
		{ "optional stepwell.so off\r\n", SW_HEALTH_WARN,
		  "a carriage return" },
		{ "optional include.so\r\noptional stepwell.so", SW_HEALTH_OK,
		  "plugstack.conf:2" },
		{ "optional\tstepwell.so \t \n", SW_HEALTH_OK,
		  "plugstack.conf:1" },
		{ "# stepwell.so\r\noptional stepwell.so # \r\n",
		  SW_HEALTH_OK, "plugstack.conf:2" },
	};
	size_t i;

	kit_put("etc/slurm/slurm.conf", "ClusterName=t\r\n");
	kit_put("etc/slurm/d/one.conf", "optional stepwell.so\n");
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		kit_put("etc/slurm/plugstack.conf", lines[i].text);
		kit_ask(sw_check_plugstack, lines[i].health, lines[i].words);
	}
	kit_put("etc/slurm/plugstack.conf", lines[0].text);
	kit_ask(sw_check_plugstack, SW_HEALTH_FAIL, "restart slurmd");
	kit_fix("sed -i 's/\\r$//' /etc/slurm/plugstack.conf && "
		"systemctl restart slurmd");
	kit_put("etc/slurm/slurm.conf",
		"PlugStackConfig=/opt/p.conf\r\nProctrackType=x/y \t\r\n");
	kit_put("opt/p.conf", "optional stepwell.so\n");
	kit_ask(sw_check_plugstack, SW_HEALTH_OK, "/opt/p.conf:1");
	kit_ask(sw_check_tracking, SW_HEALTH_WARN, "ProctrackType=x/y:");
}
END_TEST

START_TEST(plugin_fits)
{
	make_node();
	kit_ask(sw_check_plugin, SW_HEALTH_OK,
		"/" LIB "stepwell.so is for Slurm 22.05, as task_cgroup.so is");
	kit.probes.run = say_release;
	release_line = "slurm-wlm 22.05.8";
	kit_ask(sw_check_plugin, SW_HEALTH_OK, "as scontrol is");
	kit_put("etc/slurm/slurm.conf", "PluginDir=/opt/a:/opt/b\n");
	put_image("opt/b/stepwell.so", 0x160500, true);
	kit_ask(sw_check_plugin, SW_HEALTH_OK, "/opt/b/stepwell.so is for");
}
END_TEST

START_TEST(plugin_of_another_release)
{
	make_node();
	put_image(LIB "task_cgroup.so", 0x180b05, false);
	kit_ask(sw_check_plugin, SW_HEALTH_FAIL,
		"for Slurm 22.05, but task_cgroup.so is 24.11");
	kit.probes.run = say_release;
	release_line = "slurm 25.05.1";
	kit_ask(sw_check_plugin, SW_HEALTH_FAIL, "but scontrol is 25.05");
	release_line = "slurm: error: no";
	kit_remove(LIB "task_cgroup.so");
	kit_ask(sw_check_plugin, SW_HEALTH_WARN, "is not known: neither");
}
END_TEST

/* Slurm's messages if it loads nothing: from 25.11 on there are none. */
START_TEST(plugin_that_nobody_misses)
{
	make_node();
	kit.probes.run = say_release;
	release_line = "slurm 25.05.8";
	kit_ask(sw_check_plugin, SW_HEALTH_FAIL,
		"25.05, which does not load "
		"it: no step is recorded, and srun and sbatch print an error "
		"each time; install");
	release_line = "slurm 25.11.0";
	kit_ask(sw_check_plugin, SW_HEALTH_FAIL,
		"25.11, which does not load "
		"it: no step is recorded, and srun and sbatch print a line "
		"each time; install");
	kit_remove(LIB "stepwell.so");
	kit_ask(sw_check_plugin, SW_HEALTH_FAIL,
		"which does not exist: no "
		"step is recorded, and Slurm does not say so; install");
	release_line = "slurm 26.05.3";
	kit_ask(sw_check_plugin, SW_HEALTH_FAIL, "Slurm does not say so");
	release_line = "slurm 24.11.5";
	kit_ask(sw_check_plugin, SW_HEALTH_FAIL,
		"which does not exist: no "
		"step is recorded, and srun and sbatch print an error each");
	release_line = NULL;
	kit_ask(sw_check_plugin, SW_HEALTH_FAIL,
		"which does not exist: no "
		"step is recorded; srun and sbatch print an error each time, "
		"but nothing from Slurm 25.11 on");
	release_line = "slurm 26.05.3";
	kit_put("etc/slurm/plugstack.d/stepwell.conf",
		"required stepwell.so\n");
	kit_ask(sw_check_plugin, SW_HEALTH_FAIL, "and steps fail");
}
END_TEST

/* A process that began this many seconds after boot. */
static void put_process(const char *pid, const char *name, const char *title,
			unsigned seconds)
{
	unsigned long ticks = seconds * (unsigned long)sysconf(_SC_CLK_TCK);
	char path[64], text[256];

	snprintf(path, sizeof(path), "proc/%s/comm", pid);
	snprintf(text, sizeof(text), "%s\n", name);
	kit_put(path, text);
	snprintf(path, sizeof(path), "proc/%s/cmdline", pid);
	kit_put(path, title);
	snprintf(path, sizeof(path), "proc/%s/stat", pid);
	snprintf(text, sizeof(text),
		 "%s (a ) b) S 1 0 0 0 0 0 0 0 0 0 0 0 "
		 "0 0 20 0 1 0 %lu 0\n",
		 pid, ticks);
	kit_put(path, text);
}

#define COUNTS                                                                 \
	"steps 3\nunarmed 0\nstepds_unknown 0\nstarts_late 0\nends 3\n"        \
	"ends_late 0\nends_dropped 0\nreports 0\nreports_late 0\n"             \
	"reports_missing 0\nreports_quiet 0\nreports_no_file 0\n"              \
	"reports_foreign 0\nreports_unwritable 0\nremoved 0\n"                 \
	"cgroups_unknown 0\n"

START_TEST(plugin_that_is_loaded)
{
	static const char unannounced[] =
		"as task_cgroup.so is, but 1 running step that began since "
		"slurmd started was not announced to the recorder";

	make_node();
	put_process("900", "slurmd", "/usr/sbin/slurmd", 1000);
	kit_put("proc/uptime", "5000.00 9000.00\n");
	/* No recorder with counters */
	kit_ask(sw_check_plugin, SW_HEALTH_OK, "as task_cgroup.so is");
	kit_put("run/stepwell/counts", COUNTS "last_start_usec 1000000001\n");
	kit_ask(sw_check_plugin, SW_HEALTH_OK,
		"and has announced a step since slurmd started");
	/* Steps announced under an earlier slurmd prove nothing. */
	kit_put("run/stepwell/counts", COUNTS "last_start_usec 999999999\n");
	kit_ask(sw_check_plugin, SW_HEALTH_OK, "is proven by the first step");
	/*
	 * Those of an earlier slurmd, slurmd's own one, one that has just
	 * begun, and one that is not Slurm's
	 */
	put_process("700", "slurmstepd", "slurmstepd: [7.0]", 999);
	put_process("901", "slurmstepd", "/usr/sbin/slurmstepd", 2000);
	put_process("902", "slurmstepd", "slurmstepd: [8.0]", 4995);
	put_process("903", "stepd", "slurmstepd: [9.0]", 2000);
	kit_ask(sw_check_plugin, SW_HEALTH_OK, "is proven by the first step");
	put_process("904", "slurmstepd", "slurmstepd: [10.batch]", 2000);
	kit_ask(sw_check_plugin, SW_HEALTH_WARN, unannounced);
	kit_put("run/stepwell/counts", COUNTS "last_start_usec 2000000000\n");
	kit_ask(sw_check_plugin, SW_HEALTH_OK, "has announced a step");
}
END_TEST

START_TEST(plugin_that_cannot_be_loaded)
{
	kit_ask(sw_check_plugin, SW_HEALTH_SKIP, "not configured");
	make_node();
	kit_remove(LIB "stepwell.so");
	kit_ask(sw_check_plugin, SW_HEALTH_FAIL, "which does not exist");
	kit_put(LIB "stepwell.so", "not an object");
	kit_ask(sw_check_plugin, SW_HEALTH_FAIL, "not an ELF file");
	put_image(LIB "stepwell.so", 0x160508, false);
	kit_ask(sw_check_plugin, SW_HEALTH_FAIL, "no spank_plugin_version");
	put_image(LIB "stepwell.so", 0x160508, true);
	kit_mode(LIB "stepwell.so", 0664);
	kit_ask(sw_check_plugin, SW_HEALTH_FAIL, "others than root can write");
	kit_fix("chown root:root /" LIB "stepwell.so && chmod 0644 /" LIB
		"stepwell.so");
}
END_TEST

/* No damaged byte of a plugin's file may cause reads out of bounds. */
START_TEST(elf_with_any_byte_damaged)
{
	static const unsigned char junk[] = { 0, 1, 0x7f, 0x80, 0xff };
	struct image image;
	unsigned char *at;
	struct sw_elf elf;
	size_t i, j, size;

	make_image(&image, 0x160508, true);
	for (i = 0; i < sizeof(image); i++) {
		for (j = 0; j < sizeof(junk); j++) {
			at = malloc(sizeof(image));
			ck_assert_ptr_nonnull(at);
			memcpy(at, &image, sizeof(image));
			at[i] = junk[j];
			elf = (struct sw_elf){ at, sizeof(image) };
			sw_elf_symbol(&elf, "plugin_version", &size);
			elf.size = i;
			ck_assert_ptr_null(sw_elf_symbol(&elf, "none", &size));
			sw_elf_fini(&elf);
		}
	}
}
END_TEST

/* More tables of symbols than one would take a file's size squared. */
START_TEST(elf_with_a_second_table_of_symbols)
{
	struct image image;
	struct sw_elf elf = { (unsigned char *)&image, sizeof(image) };
	size_t size;

	make_image(&image, 0x160508, true);
	ck_assert_ptr_eq(sw_elf_symbol(&elf, "plugin_version", &size),
			 &image.numbers[0]);
	image.sections[0] = image.sections[1];
	image.sections[0].sh_size = 0;
	ck_assert_ptr_null(sw_elf_symbol(&elf, "plugin_version", &size));
}
END_TEST

START_TEST(tracking)
{
	kit_ask(sw_check_tracking, SW_HEALTH_SKIP, "no slurm.conf");
	make_node();
	kit_ask(sw_check_tracking, SW_HEALTH_OK, "proctrack/cgroup");
	kit_put("etc/slurm/slurm.conf", "ClusterName=t\n");
	kit_ask(sw_check_tracking, SW_HEALTH_OK, "not set");
	kit_put("etc/slurm/slurm.conf", "ProctrackType=proctrack/linuxproc\n");
	kit_ask(sw_check_tracking, SW_HEALTH_WARN, "proctrack/linuxproc");
}
END_TEST

START_TEST(switched_off)
{
	make_node();
	kit_ask(sw_check_switch, SW_HEALTH_OK, "on: no /etc/stepwell/off");
	kit_put("etc/slurm/plugstack.d/stepwell.conf",
		"optional stepwell.so off\n");
	kit_ask(sw_check_switch, SW_HEALTH_WARN, "says \"off\"");
	kit_put("etc/stepwell/off", "");
	kit_ask(sw_check_switch, SW_HEALTH_WARN, "/etc/stepwell/off exists");
	kit_fix("rm /etc/stepwell/off && systemctl restart slurmd");
	kit_put("usr/lib/systemd/system/stepwell-recorder.socket", "");
	kit_ask(sw_check_switch, SW_HEALTH_WARN, "/etc/stepwell/off exists");
	kit_fix("rm /etc/stepwell/off && systemctl reset-failed "
		"'stepwell-recorder.*'; systemctl restart "
		"stepwell-recorder.socket");
}
END_TEST

int main(void)
{
	TCase *tests = kit_case("slurm");

	tcase_add_test(tests, plugstack_is_followed_through_includes);
	tcase_add_test(tests, plugstack_that_is_wrong);
	tcase_add_test(tests, plugstack_with_what_is_no_blank);
	tcase_add_test(tests, plugin_fits);
	tcase_add_test(tests, plugin_of_another_release);
	tcase_add_test(tests, plugin_that_nobody_misses);
	tcase_add_test(tests, plugin_that_is_loaded);
	tcase_add_test(tests, plugin_that_cannot_be_loaded);
	tcase_add_test(tests, elf_with_any_byte_damaged);
	tcase_add_test(tests, elf_with_a_second_table_of_symbols);
	tcase_add_test(tests, tracking);
	tcase_add_test(tests, switched_off);
	return kit_run(tests);
}
