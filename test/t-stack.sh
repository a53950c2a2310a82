#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions in which threads hang: by stepwell-stack alone for programs of each
# kind, and in a recording.
# shellcheck disable=SC2154 # what lib.sh and make set
set -u
# A file system that does not respond needs root.
# shellcheck source=test/mounts-lib.sh
[ "$(id -u)" -ne 0 ] ||
	. "${abs_top_srcdir:-$(dirname "$0")/..}/test/mounts-lib.sh"
. "${abs_top_srcdir:-$(dirname "$0")/..}/test/lib.sh"

. "${abs_top_srcdir:-$(dirname "$0")/..}/test/fuse-lib.sh"

skip()
{
	echo "# skipped: $*"
	exit 77
}

server=
finish()
{
	[ -z "$server" ] || kill -KILL "$server" 2>/dev/null
	unstall_all
	clean
}
trap finish EXIT

stack=${abs_top_builddir:-.}/recorder/stepwell-stack
[ -x "$stack" ] || skip 'built without libdw'
[ "$(uname -m)" = x86_64 ] || skip "not tried on $(uname -m)"
command -v cc >/dev/null || skip 'no cc to build programs that hang'
cd "$work" || exit 1

cat >locks.c <<'TEXT'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];

__attribute__((noinline)) void take_second(void)
{
	pthread_mutex_lock(&second);
	puts("never");
}

__attribute__((noinline)) void take_first(void)
{
	pthread_mutex_lock(&first);
	puts("never");
}

void *worker(void *nothing)
{
	pthread_mutex_lock(&second);
	if (write(ends[1], "x", 1) != 1)
		return NULL;
	take_first();
	return nothing;
}

int main(void)
{
	pthread_t thread;
	char byte;

	pthread_mutex_lock(&first);
	if (pipe(ends) < 0 || pthread_create(&thread, NULL, worker, NULL) ||
	    read(ends[0], &byte, 1) != 1)
		return 1;
	take_second();
	return 0;
}
TEXT

# stuck PID TID: it waits for a lock
stuck()
{
	[ "$(cut -d ' ' -f 1 "/proc/$1/task/$2/syscall" 2>/dev/null)" = 202 ]
}

threads_of()
{
	ls "/proc/$1/task" 2>/dev/null
}

both_stuck()
{
	local threads

	threads=$(threads_of "$1")
	[ "$(wc -w <<<"$threads")" -eq 2 ] || return
	for thread in $threads; do
		stuck "$1" "$thread" || return
	done
}

# stacks PID: print those of all its threads
stacks()
{
	local thread words=()

	for thread in $(threads_of "$1"); do
		read -ra words <"/proc/$1/task/$thread/syscall"
		echo "$thread ${words[-1]} ${words[-2]} 0 0"
	done | "$stack" "$1" 3<"/proc/$1/mem" 4<"/proc/$1/maps" 2>err
}

hang()
{
	"$@" >/dev/null &
	hung=$!
	await both_stuck "$hung"
}

end()
{
	kill -KILL "$hung" 2>/dev/null
	wait "$hung" 2>/dev/null
}

of_kind()
{
	local kind=$1 main=$2 thread=$3
	shift 3
	cc "$@" -pthread -o locks locks.c || return
	hang ./locks
	stacks "$hung" >out
	is "$kind: main" 1 "$(grep -cE "$main" out)"
	is "$kind: the other thread" 1 "$(grep -cE "$thread" out)"
	is "$kind: the cost" 1 "$(grep -cE '^end [0-9]+$' out)"
	end
}

of_kind optimized 'pthread_mutex_lock < take_second < main' \
	'pthread_mutex_lock < take_first < worker' -O2
of_kind 'without optimization' 'pthread_mutex_lock < take_second' \
	'pthread_mutex_lock < take_first' -O0
of_kind stripped 'pthread_mutex_lock < locks\+0x[0-9a-f]+ < .*_start' \
	'pthread_mutex_lock < locks\+0x[0-9a-f]+ < locks\+0x[0-9a-f]+ < libc' \
	-O2 -s
[ ! -e "$(cc -print-file-name=libc.a)" ] ||
	of_kind static 'take_second < main' 'take_first < worker' -O2 -static

# Strange states of a process, and false data it can present.
hang ./locks
for line in "$hung ffffffffffffffff ffffffffffffffff 1 1" "$hung 0 0 0 0" \
	"$hung 1 8 0 0" "-1 -1 -1 -1 -1" "x y" ''; do
	timeout 20 "$stack" "$hung" <<<"$line" 3<"/proc/$hung/mem" \
		4<"/proc/$hung/maps" >out 2>err
	is "registers '$line'" 0 $?
done
mkfifo fifo
printf '%s\n' "00400000-00500000 r-xp 00000000 00:00 1 $work/fifo" \
	"7f0000000000-7f0000001000 r-xp 00000000 00:00 2 /etc/passwd" >maps
timeout 20 "$stack" "$hung" <<<"$hung 400010 400020 0 0" \
	3<"/proc/$hung/mem" 4<maps >out 2>err
is 'a FIFO and a text as mapped files' yes \
	"$([ $? -ne 124 ] && echo yes)"
# Another name, another device, another file of that name: all are rejected.
map_line()
{
	awk -v path="$work/locks" '$6 == path && $2 ~ /x/' "/proc/$hung/maps"
}

# told MAPS: count how often its functions are named
told()
{
	read -ra words <"/proc/$hung/syscall"
	echo "$hung ${words[-1]} ${words[-2]} 0 0" |
		"$stack" "$hung" 3<"/proc/$hung/mem" 4<"$1" 2>err |
		grep -c take_second
}
cp "/proc/$hung/maps" maps
is 'the file that is mapped' 1 "$(told maps)"
ln -s locks link
sed "s|$work/locks|$work/link|" "/proc/$hung/maps" >maps
is 'a link to it' 0 "$(told maps)"
read -r _ _ _ device _ <<<"$(map_line)"
sed "s| $device | ff:${device#*:} |" "/proc/$hung/maps" >maps
is 'the same number on another device' 0 "$(told maps)"
cp "/proc/$hung/maps" maps
mv locks moved
cp moved locks
is 'another file of its name' 0 "$(told maps)"
mv moved locks
echo 'no maps at all' >maps
timeout 20 "$stack" "$hung" <<<"$hung 400010 400020 0 0" \
	3<"/proc/$hung/mem" 4<maps >out 2>err
is 'maps that are none' 1 $?
end
cat >maps.c <<'TEXT'
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	char *at = mmap(NULL, 20000 * 4096, PROT_READ, MAP_PRIVATE |
			MAP_ANONYMOUS, -1, 0);
	int i;

	for (i = 0; i < 20000; i += 2)
		mprotect(at + i * 4096, 4096, PROT_NONE);
	if (write(1, "x", 1) == 1)
		pause();
	return 0;
}
TEXT
cc -O2 -o maps_many maps.c
./maps_many >ready &
hung=$!
await test -s ready
is 'ten thousand mappings' yes "$(stacks "$hung" |
	grep -qE 'pause' && echo yes)"
end

# In a recording; code without optimization needs a register that BPF provides.
cc -O2 -pthread -o locks locks.c
"$stepwell" run --no-report --force --output hang.stepwell -- ./locks 2>err &
run=$!
is_told()
{
	"$stepwell" report --no-sacct --json hang.stepwell.part |
		grep -q 'was in pthread_mutex_lock'
}
await is_told
kill "$run"
wait "$run" 2>/dev/null
"$stepwell" report --no-sacct --json hang.stepwell >report.json
is 'stacks are in the report' 2 \
	"$(grep -cE '"stack":.*take_(first|second) < (worker|main)' report.json)"
"$stepwell" report --no-sacct hang.stepwell >said
is 'and in its sentence' 1 "$(tr -s '\n ' '  ' <said |
	grep -cE 'was in pthread_mutex_lock < take_(first < worker|second < main)')"

cat >waits.c <<'TEXT'
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static char buf[4096];

__attribute__((noinline)) long take_block(int fd)
{
	long length = read(fd, buf, sizeof(buf));

	buf[1]++;
	return length;
}

__attribute__((noinline)) long load_file(const char *path)
{
	int fd = open(path, O_RDONLY);
	long length = fd < 0 ? -1 : take_block(fd);

	close(fd);
	return length;
}

__attribute__((noinline)) long ask_peer(int port)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	long length = -1;

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0)
		length = take_block(fd);
	close(fd);
	return length;
}

int main(int argc, char **argv)
{
	return (argv[1][0] == '/' ? load_file(argv[1]) :
				    ask_peer(atoi(argv[1]))) < argc;
}
TEXT
cc -O2 -o waits waits.c

# hangs NAME WORD: record it; its message is in the file "said"
hangs()
{
	"$stepwell" run --no-report --force --output "$1.stepwell" -- \
		./waits "$2" 2>err &
	run=$!
	profile=$1.stepwell.part
	await is_said
	kill "$run"
	unstall_all
	wait "$run" 2>/dev/null
	"$stepwell" report --no-sacct "$1.stepwell" | tr -s '\n ' '  ' >said
}

is_said()
{
	"$stepwell" report --no-sacct --json "$profile" |
		grep -q 'was in .*take_block'
}

python3 -c '
import socket, sys, time
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
print(server.getsockname()[1], flush=True)
time.sleep(1000)' >port &
server=$!
await test -s port
hangs peer "$(cat port)"
is 'a peer: program, call and peer' 1 "$(grep -cE \
	"waits \(process [0-9]+\) waited for a reply from 127.0.0.1:$(cat port) \
\(read\)" said)"
is 'its functions' 1 "$(grep -cE 'was in (__)?read < take_block < ask_peer' said)"
if [ "$(id -u)" -eq 0 ] && has_fuse; then
	mkdir dead
	stall "$work/dead" --never read --file data=4096
	hangs file "$work/dead/data"
	is 'a read: program, call and file' 1 "$(grep -cE \
		"waits \(process [0-9]+\) waited in read of $work/dead/data" \
		said)"
	is 'its functions, too' 1 \
		"$(grep -cE 'was in (__)?read < take_block < load_file' said)"
fi
tally
