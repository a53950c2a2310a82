# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: find and du count a tree of files again and again, all of it in cache
# request: --cpus 1
# may: io.many_files
# bottleneck: cpu

prepare()
{
	local i

	for i in {1..40}; do
		mkdir -p "tree/$i"
		(cd "tree/$i" && seq 1 250 | xargs touch)
	done
}

job()
{
	repeat 15 find tree tree tree tree tree tree -size +1k
}
