import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runTool, temporaryFolder } from '#replay/testing/files.ts';
import { describeCaptures } from '#replay/vitest.ts';
import { adapter } from './adapter.ts';

const EXAMPLE = import.meta.dirname;
const CAPTURES = join(EXAMPLE, 'captures');

describeCaptures(CAPTURES, { adapter });

test('finds the update at which a change of the reducer changes a session', async () => {
  const at = await temporaryFolder();
  await cp(EXAMPLE, at('task-board'), { recursive: true });
  await symlink(resolve(EXAMPLE, '../../node_modules'), at('node_modules'));
  const reducer = at('task-board/app/board.ts');
  const text = await readFile(reducer, 'utf8');
  await writeFile(reducer, text.replace('card.title = payload.title', 'card.title = payload.id'));
  const capture = at('task-board/captures/two-people.parley.jsonl');
  const { status, out } = await runTool('verify', capture, '--app', at('task-board/adapter.ts'));
  expect(status).toBe(1);
  expect(out).toMatch(
    /first differs after update 8 \(cardRenamed, applied, at [\d.]+ ms\)\n {4}state\.columns\[0\]\.cards\[0\]\.title\n/,
  );
  expect(out).toMatch(/inspect +npm run replay -- open .*two-people\.parley\.jsonl --app .* --update 8/);
});
