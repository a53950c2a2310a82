// SPDX-License-Identifier: GPL-2.0-or-later
// node sweep_duckdb.js CSV PARQUET make|run: the question of bench_sweep, by
// DuckDB from a Parquet file, with one thread.  The last line is the CPU time
// of the query alone, in seconds.
const { DuckDBInstance } = require('@duckdb/node-api');

const question = (file) => `
	SELECT uid, job_name, count(*), sum(used_usec),
		approx_quantile(need_bytes, 0.95),
		approx_quantile(end_seconds - start_seconds, 0.95)
	FROM read_parquet('${file}') GROUP BY uid, job_name`;

async function main([csv, parquet, what])
{
	const instance = await DuckDBInstance.create(':memory:',
						     { threads: '1' });
	const connection = await instance.connect();

	if (what === 'make') {
		await connection.run(`COPY (SELECT * FROM read_csv('${csv}'))
			TO '${parquet}' (FORMAT PARQUET)`);
		return;
	}
	const before = process.cpuUsage();
	const reader = await connection.runAndReadAll(question(parquet));
	const cost = process.cpuUsage(before);
	for (const row of reader.getRows())
		console.log(row.join(' '));
	console.log(`cost ${(cost.user + cost.system) / 1e6} ` +
		    `${Math.round(process.resourceUsage().maxRSS / 1024)}`);
}

main(process.argv.slice(2)).catch((error) => {
	console.error(error.message);
	process.exit(1);
});
