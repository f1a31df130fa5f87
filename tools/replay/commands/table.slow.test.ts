import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

/** Asks DuckDB a question. `npm run test:slow` installs it. */
const SCRIPT = resolve(import.meta.dirname, '..', '..', '..', 'tests', 'duckdb', 'query.mjs');

const QUESTION = `
  select parse_filename(capture) as session, count(*)::int as ignored, list_sort(list(distinct kind)) as kinds
  from 'updates.parquet' join 'updates-sessions.parquet' using (capture)
  where effect = 'ignored' and started_at < '2027-01-01' and not list_contains(paths, 'person')
  group by all order by all`;

test('DuckDB answers from the tables of captures which sessions ignored updates', async () => {
  const at = await temporaryFolder();
  const late = recv(30, { person: 'Ada', messages: [message('a')] });
  await writeCapture(at('early.parley.jsonl'), [recv(0, { text: 'x' }), recv(10, { context: 'y' }), late]);
  await writeCapture(at('good.parley.jsonl'), [late, recv(40, { text: 'x' })]);
  expect((await runTool('table', at(''), '-o', at('updates.parquet'))).status).toBe(0);
  const answer = execFileSync(process.execPath, [SCRIPT, QUESTION, '--json'], { cwd: at('') });
  expect(JSON.parse(String(answer))).toEqual([
    { session: 'early.parley.jsonl', ignored: 2, kinds: ['context', 'text'] },
  ]);
});
