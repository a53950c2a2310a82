# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: the input of gzip is truncated; no system call fails
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# says: program.failed (gzip|gunzip).*input\.gz

prepare()
{
	head -c 33554432 /dev/urandom | gzip -1 >whole.gz
	head -c 20000000 whole.gz >input.gz
}

job()
{
	ward phases 1x12
	gzip -dc input.gz >input
	true
}

good()
{
	ward phases 1x12
	gzip -dc whole.gz >input
}
