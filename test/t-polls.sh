#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A rank that polls in the MPI library uses as much CPU time as one that
# computes: the polling time is recorded, and the report shows which rank had
# less to do.  Needs BPF, as root, and a compiler; Linux 5.17.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

skip()
{
	echo "# skipped: $*"
	exit 77
}

[ "$(id -u)" -eq 0 ] || skip 'all programs are only seen as root'
command -v cc >/dev/null || skip 'no cc to build a library with'
"$stepwell" run --no-report --force --output "$work/first" -- true 2>"$work/err"
[ "$(column "$work/first" steps programs_source)" = bpf ] ||
	skip 'all programs are only seen by BPF'
[ "$(printf '5.17\n%s\n' "$(uname -r)" | sort -V | head -n 1)" = 5.17 ] ||
	skip "Linux $(uname -r) does not tell BPF where a program runs"

cd "$work" || exit 1
cat >wait.c <<'TEXT'
#include <time.h>

double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Until so much CPU time is used, and seldom in the C library. */
void mpi_like_wait(double until)
{
	volatile unsigned long work = 1;
	int i;

	while (used() < until)
		for (i = 0; i < 1000000; i++)
			work = work * 31 + 7;
}
TEXT
cat >rank.c <<'TEXT'
#include <stdlib.h>

double used(void);
void mpi_like_wait(double until);

int main(int argc, char **argv)
{
	volatile unsigned long work = 1;
	int i;

	(void)argc;
	while (used() < atof(argv[1]))
		for (i = 0; i < 1000000; i++)
			work = work * 31 + 7;
	mpi_like_wait(atof(argv[2]));
	return 0;
}
TEXT
cc -shared -fPIC -O1 -o libmpi_like.so wait.c &&
	cc -O1 -o solver rank.c -L. -lmpi_like -Wl,-rpath,"$work" ||
	skip 'cc cannot build a library'
# Start ranks: CPU seconds that each computes, and until which it then polls.
cat >mpirun <<'TEXT'
#!/bin/bash
while [ $# -gt 0 ]; do
	./solver "$1" "$2" &
	shift 2
done
wait
TEXT
chmod +x mpirun

# of COLUMN: print it from the solver's row
of()
{
	"$stepwell" dump "$profile" | awk -F '\t' -v column="$1" '
		/^# table / { is_here = $0 ~ /^# table programs,/; is_head = 1; next }
		is_here && is_head { for (i = 1; i <= NF; i++) {
			if ($i == column) n = i
			if ($i == "name") name = i }; is_head = 0; next }
		is_here && $name == "solver" { value = $n }
		END { print value }'
}

record()
{
	profile=$work/$1.stepwell
	shift
	"$stepwell" run --no-report --force --cpus 2 --output "$profile" -- \
		"$@" 2>"$work/err"
}

record uneven ./mpirun 6 6 1 6
is 'both ranks were looked at' 2 "$(of mpi_processes)"
# 5 s, as far as seen: the first samples may miss some.
between 'what they polled' 3000000 5500000 "$(of mpi_usec)"
between 'what the busiest polled' 0 600000 "$(of mpi_least_usec)"

record even ./mpirun 3 6 3 6
is 'two that poll alike were looked at' 2 "$(of mpi_processes)"
between 'what each polled, at least' 2000000 4500000 "$(of mpi_least_usec)"

# For two processes that constantly wait for each other's answers, watching each
# wait would be expensive.
cat >talk.c <<'TEXT'
#include <stdlib.h>
#include <unistd.h>

void mpi_like_wait(double until);
double used(void);

int main(int argc, char **argv)
{
	int ask[2], answer[2];
	char c = 0;

	(void)argc;
	if (pipe(ask) < 0 || pipe(answer) < 0)
		return 1;
	if (fork() == 0) {
		close(ask[1]);
		while (read(ask[0], &c, 1) == 1)
			if (write(answer[1], &c, 1) != 1)
				break;
		_exit(0);
	}
	mpi_like_wait(0.001);
	while (used() < atof(argv[1]))
		if (write(ask[1], &c, 1) != 1 || read(answer[0], &c, 1) != 1)
			return 1;
	return 0;
}
TEXT
mkdir talking
cc -O1 -o talking/solver talk.c -L. -lmpi_like -Wl,-rpath,"$work"
printf '#!/bin/bash\n./talking/solver 4 &\nwait\n' >mpiexec
chmod +x mpiexec
record talk ./mpiexec
is 'who waits all the time is watched no more' 0 "$(of mpi_processes)"

# A process that was not started as a rank is not watched.
cp mpirun plain
record plain ./plain 3 3 1 3
is 'without a launcher nobody is looked at' 0 "$(of mpi_processes)"
tally
