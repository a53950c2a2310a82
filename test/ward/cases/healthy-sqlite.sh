# shellcheck shell=bash disable=SC2329
# SPDX-License-Identifier: GPL-2.0-or-later
# truth: a database in a small file, queried without an index; computing
# request: --cpus 1
# never: io.tiny
# bottleneck: cpu
# needs: sqlite3

query()
{
	sqlite3 data.db 'SELECT count(*), sum(a.v * b.v) FROM t a JOIN
		(SELECT * FROM t LIMIT 12) b ON a.v % 7 = b.v % 7;'
}

prepare()
{
	sqlite3 data.db 'CREATE TABLE t (k INTEGER, v INTEGER);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL
			SELECT i + 1 FROM n WHERE i < 200000)
		INSERT INTO t SELECT i, abs(random() % 1000) FROM n;'
}

job() { repeat 14 query; }
