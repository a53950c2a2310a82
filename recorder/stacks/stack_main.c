/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context: a separate program, running as the user of the step that it reads.
 *
 * stepwell-stack PID: print the call stacks of sleeping threads.  The process
 * is not stopped or changed: its memory is read through descriptor MEMORY_FD,
 * its maps are on MAPS_FD, and standard input has a line for each thread:
 *
 * TID PC SP FP LR (hexadecimal except the first; 0: not known)
 *
 * Standard output has a line for each, "TID function < caller < ...", as far as
 * the callers can be found, and finally "end" with the CPU time used in
 * microseconds.  Opens the mapped files, which may be on a file system that
 * does not respond: the caller must be able to abandon this program.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/path.h"
#include "recorder/stacks/mapped_file.h"
#include "recorder/stacks/stack_filter.h"

enum {
	MEMORY_FD = 3, MAPS_FD = 4,
	THREADS_MAX = 8, FRAMES_MAX = 64,
	NAME_SHOWN = 120,
};

struct thread {
	pid_t tid;
	uint64_t pc, sp, fp, lr;
};

static struct {
	pid_t pid;
	FILE *maps;
	const struct thread *thread;	/* the current thread */
	unsigned frames;
} look;

static int find_elf(Dwfl_Module *module, void **userdata, const char *path,
		    Dwarf_Addr base, char **file_name, Elf **elf)
{
	int fd = sw_mapped_file_open(look.pid, look.maps, path);

	(void)module, (void)userdata, (void)base, (void)elf;
	if (fd >= 0)
		*file_name = strdup(path);
	return fd;
}

/* Use only the file itself; search nowhere else. */
static int find_no_debuginfo(Dwfl_Module *module, void **userdata,
			     const char *name, Dwarf_Addr base,
			     const char *file_name, const char *link,
			     GElf_Word crc, char **found)
{
	(void)module, (void)userdata, (void)name, (void)base, (void)file_name;
	(void)link, (void)crc, (void)found;
	return -1;
}

static pid_t next_thread(Dwfl *dwfl, void *argument, void **thread_argument)
{
	(void)dwfl, (void)argument;
	if (*thread_argument)
		return 0;
	*thread_argument = &look;
	return look.thread->tid;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *argument,
		       void **thread_argument)
{
	(void)dwfl, (void)argument;
	*thread_argument = &look;
	return tid == look.thread->tid;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result,
			void *argument)
{
	uint64_t word;

	(void)dwfl, (void)argument;
	if (pread(MEMORY_FD, &word, sizeof(word), (off_t)address) !=
	    (ssize_t)sizeof(word))
		return false;
	*result = word;
	return true;
}

static bool set(Dwfl_Thread *thread, int number, uint64_t value)
{
	const Dwarf_Word word = value;

	return !value || dwfl_thread_state_registers(thread, number, 1, &word);
}

/* The numbers are those of the psABIs. */
static bool set_registers(Dwfl_Thread *thread, void *argument)
{
	const struct thread *at = look.thread;

	(void)argument;
#if defined(__x86_64__)
	return set(thread, 6, at->fp) && set(thread, 7, at->sp) &&
	       set(thread, 16, at->pc);
#elif defined(__aarch64__)
	if (!set(thread, 29, at->fp) || !set(thread, 30, at->lr) ||
	    !set(thread, 31, at->sp))
		return false;
	dwfl_thread_state_register_pc(thread, at->pc);
	return true;
#else
	(void)thread, (void)at;
	return false;
#endif
}

/* Print a single word; a space in a name must not split it. */
static void print_name(const char *name, size_t shown)
{
	for (; *name && shown > 0; name++, shown--)
		putchar(*name > ' ' && *name < 127 ? *name : '?');
}

static void print_place(Dwfl_Module *module, Dwarf_Addr pc)
{
	Dwarf_Addr start = 0;
	const char *path = module ? dwfl_module_info(module, NULL, &start,
						     NULL, NULL, NULL, NULL,
						     NULL) : NULL;

	if (!path || path[0] != '/') {
		putchar('?');
		return;
	}
	print_name(sw_path_name(path), NAME_SHOWN);
	printf("+0x%" PRIx64, (uint64_t)(pc - start));
}

static int print_frame(Dwfl_Frame *frame, void *argument)
{
	Dwfl *dwfl = argument;
	Dwfl_Module *module;
	const char *name = NULL;
	bool is_at_call;
	Dwarf_Addr pc;

	if (look.frames == FRAMES_MAX || !dwfl_frame_pc(frame, &pc, &is_at_call))
		return DWARF_CB_ABORT;
	/* A return address follows its call and may be in the next function. */
	if (!is_at_call)
		pc--;
	module = dwfl_addrmodule(dwfl, pc);
	if (module)
		name = dwfl_module_addrname(module, pc);
	printf(look.frames++ ? " < " : " ");
	if (name)
		print_name(name, NAME_SHOWN);
	else
		print_place(module, pc);
	return DWARF_CB_OK;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

static Dwfl *open_process(void)
{
	static char *no_path = NULL;
	static const Dwfl_Callbacks callbacks = {
		.find_elf = find_elf,
		.find_debuginfo = find_no_debuginfo,
		.debuginfo_path = &no_path,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (!dwfl)
		return NULL;
	if (dwfl_linux_proc_maps_report(dwfl, look.maps) != 0 ||
	    dwfl_report_end(dwfl, NULL, NULL) != 0 ||
	    !dwfl_attach_state(dwfl, NULL, look.pid, &thread_callbacks,
			       &look)) {
		dwfl_end(dwfl);
		return NULL;
	}
	return dwfl;
}

static int complain(const char *what)
{
	fprintf(stderr, "stepwell-stack: %s\n", what);
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	struct thread thread;
	unsigned count = 0;
	Dwfl *dwfl;

	if (argc != 2)
		return complain("usage: stepwell-stack PID, for the recorder");
	look.pid = (pid_t)atoi(argv[1]);
	look.maps = fdopen(MAPS_FD, "r");
	if (!look.maps)
		return complain("descriptor 4 has no maps of a process");
	look.thread = &thread;
	sw_stack_filter();
	dwfl = open_process();
	if (!dwfl)
		return complain(dwfl_errmsg(-1));
	while (count++ < THREADS_MAX &&
	       scanf("%d %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64,
		     &thread.tid, &thread.pc, &thread.sp, &thread.fp,
		     &thread.lr) == 5) {
		look.frames = 0;
		printf("%d", (int)thread.tid);
		dwfl_getthread_frames(dwfl, thread.tid, print_frame, dwfl);
		putchar('\n');
		fflush(stdout);
	}
	dwfl_end(dwfl);
	printf("end %ld\n", (long)clock() / (CLOCKS_PER_SEC / 1000000));
	return EXIT_SUCCESS;
}
