# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# File systems of fuse_stall, for tests in their own mount namespace.  Sourced
# after lib.sh.
fuse_stall=$abs_top_builddir/test/fuse/fuse_stall
fuse_servers=()
fuse_folders=()

# has_fuse: can it be mounted here?
has_fuse()
{
	local folder=$work/try

	mkdir "$folder" && stall "$folder" && unstall_all
}

# stall FOLDER OPTION...: mount it on FOLDER; sets $fuse_server to its pid
stall()
{
	local folder=$1
	shift

	rm -f "$work/fuse.out"	# that of another one
	"$fuse_stall" "$@" "$folder" >"$work/fuse.out" 2>&1 &
	fuse_server=$!
	disown
	fuse_servers+=("$fuse_server")
	fuse_folders+=("$folder")
	await sh -c "grep -q ready '$work/fuse.out' ||
		! kill -0 $fuse_server" && grep -q ready "$work/fuse.out"
}

# Processes waiting for the servers get an error.
unstall_all()
{
	local folder

	kill -KILL "${fuse_servers[@]}" 2>/dev/null
	for folder in "${fuse_folders[@]}"; do
		umount -l "$folder" 2>/dev/null
	done
	fuse_servers=()
	fuse_folders=()
}

# descendants PID: read from files that cannot block; pgrep would read command
# lines
descendants()
{
	local child

	for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
		echo "$child"
		descendants "$child"
	done
}
