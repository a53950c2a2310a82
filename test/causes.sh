# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that fail in known ways, and some that only seem to.  Sourced by
# t-cause.sh and by a case in the guest, which define
#	cause WHAT REGEX COMMAND...	the report must state the cause
#	no_cause WHAT COMMAND...	the report must not say "could not"
# For files the cause requires a kernel that can trace functions; needs root.

prepare_causes()	# in the current folder
{
	printf 'not much\n' | gzip >all.fq.gz
	head -c 20 all.fq.gz >cut.fq.gz
	echo secret >secret.fq
	chmod 600 secret.fq
	printf '#!/no/such/python\n' >script
	# This program needs a library that does not exist.
	sed 's/libc\.so\.6/libQ.so.6/g' "$(command -v cat)" >nolib
	chmod +x script nolib
	mkdir -p full other
	echo 1 >input
	echo 1 >table
}

causes_of_files()
{
	cause 'a missing reference' \
		'^cat exited with 1; it could not open ref/genome\.fa: no such' \
		cat ref/genome.fa
	cause 'an unreadable input' \
		'^cat exited with 1; .* not open secret\.fq: permission denied' \
		setpriv --reuid 65534 --regid 65534 --clear-groups cat secret.fq
	cause 'an unreadable input that is asked for first' \
		'^sort exited with 2; it could not access secret\.fq: perm' \
		setpriv --reuid 65534 --regid 65534 --clear-groups \
		sort secret.fq
	cause 'a truncated gzip' \
		'^gzip exited with 1; the last file .* was .*cut\.fq\.gz\.' \
		gzip -t cut.fq.gz
	cause 'a missing library' \
		'^nolib exited with 127; it could not find the library libQ\.so\.6\.' \
		./nolib
	cause 'a missing program' \
		'^env exited with 127; .* not find the program no-such-tool\.' \
		env no-such-tool
	cause 'the wrong interpreter' 'by its interpreter /no/such/python: no' \
		bash -c './script; exit $?'
	! unshare -m true 2>/dev/null || cause 'a full disk' \
		'could not write .*out\.bam: no space left' \
		unshare -m sh -c 'mount -t tmpfs -o size=64k none full &&
		exec dd if=/dev/zero of=full/out.bam bs=16k count=100'
	cause 'no memory' '^dd exited with 1; it could not get 1\.0 GiB' \
		sh -c 'ulimit -v 100000
		exec dd if=/dev/zero of=/dev/null bs=1G count=1'
}

causes_of_others()
{
	cause 'a refused connection' \
		'not connect to 127\.0\.0\.1:1: connection refused' \
		bash -c 'echo >/dev/tcp/127.0.0.1/1'
	cause 'a missing licence server' \
		'^perl exited with 3; .* 127\.0\.0\.1:2: connection refused' \
		perl -MIO::Socket::INET -e 'exit(IO::Socket::INET->new(
			PeerAddr => "127.0.0.1:2", Timeout => 60) ? 0 : 3)'
	cause 'a crash' '^perl was killed by SIGSEGV' \
		perl -e 'kill SEGV => $$; sleep 60'
	cause 'a failed assertion' '^perl was killed by SIGABRT.* assertion' \
		perl -e 'kill ABRT => $$; sleep 60'
}

look_alikes()
{
	no_cause 'one that is elsewhere' awk 'BEGIN {
		getline < "other/table"; getline < "table"; exit 3 }'
	no_cause 'one that is not needed' awk 'BEGIN {
		getline < "more"; getline < "input"; exit 3 }'
	no_cause 'settings' awk 'BEGIN { getline < ".toolrc"; exit 3 }'
	no_cause 'more settings' awk 'BEGIN { getline < "tool.conf"; exit 3 }'
	no_cause 'a kill' perl -e 'open(F, "<none"); kill KILL => $$; sleep 60'
	no_cause 'a target' cp none target
	no_cause 'an answer' sh -c 'cat input; exit 4'
	no_cause 'success' sh -c 'cat none; exit 0'
}
