/**
 * Asks DuckDB a question about files in the current folder, and prints its answer.
 *
 *   node scripts/setup.mjs --duckdb && node tests/duckdb/query.mjs "select count(*) from 'updates.parquet'" [--json]
 */
import { DuckDBInstance } from '@duckdb/node-api';

const [question = '', format] = process.argv.slice(2);
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const reader = await connection.runAndReadAll(question);
const rows = reader.getRowObjectsJson();
if (format === '--json') process.stdout.write(`${JSON.stringify(rows)}\n`);
else console.table(rows);
