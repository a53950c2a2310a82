# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a library of a program is missing
# request: --cpus 1
# must: program.failed
# bottleneck: cpu
# needs: cc
# says: program.failed model.*libmodel

prepare()
{
	echo 'int model(void) { return 0; }' >model_part.c
	echo 'int model(void); int main(void) { return model(); }' >model.c
	cc -shared -fPIC -o libmodel.so model_part.c
	cc -o model model.c -L. -lmodel
	rm libmodel.so
}

job()
{
	ward phases 1x12
	./model
	true
}
