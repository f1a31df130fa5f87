import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runTool, temporaryFolder } from '#replay/testing/files.ts';

const EXAMPLE = import.meta.dirname;
const ADAPTER = join(EXAMPLE, 'adapter.ts');
const CAPTURES = join(EXAMPLE, 'captures');

/** Copies the example, and replaces a part of its reducer. */
async function changedExample(before: string, after: string) {
  const at = await temporaryFolder();
  await cp(EXAMPLE, at('task-board'), { recursive: true });
  await symlink(resolve(EXAMPLE, '../../node_modules'), at('node_modules'));
  const reducer = at('task-board/app/board.ts');
  const text = await readFile(reducer, 'utf8');
  expect(text).toContain(before);
  await writeFile(reducer, text.replace(before, after));
  return at;
}

test('verifies the captures of the example, and runs one', async () => {
  expect(await runTool('verify', CAPTURES, '--app', ADAPTER)).toMatchObject({
    status: 0,
    out: expect.stringContaining('2 captures: 2 same'),
  });
  const { out } = await runTool(
    'run',
    join(CAPTURES, 'two-people.parley.jsonl'),
    '--app',
    ADAPTER,
    '--json',
    '--hash',
    '--with',
    'display',
  );
  expect(JSON.parse(out)).toMatchObject({
    app: 'task-board',
    frames: { received: 9, sent: 3, rejected: 1 },
    updates: { applied: 7, ignored: 1 },
    hash: expect.stringMatching(/^sha256:/),
    display: { title: '(1) Task board', columns: [{ heading: 'To do (1)' }, {}, {}] },
  });
});

test('finds the update at which a change of the reducer changes a session', async () => {
  const changed = await changedExample('card.title = payload.title', 'card.title = payload.id');
  const { status, out } = await runTool(
    'verify',
    changed('task-board/captures/two-people.parley.jsonl'),
    '--app',
    changed('task-board/adapter.ts'),
  );
  expect(status).toBe(1);
  expect(out).toContain(
    'first differs after update 8 (cardRenamed, applied, at 887.132 ms)\n    state.columns[0].cards[0].title',
  );
});

test.each([
  ['there.ts', 'cannot be bundled: [UNRESOLVED_ENTRY] Cannot resolve entry module'],
  ['app/board.ts', 'exports no adapter: neither `adapter` nor a default export'],
])('refuses %s as an adapter in one line, with status 2', async (file, problem) => {
  const { status, out, err } = await runTool('verify', CAPTURES, '--app', join(EXAMPLE, file));
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/^--app .*\n$/);
  expect(err).toContain(problem);
});

test('names the line of a syntax error in an adapter', async () => {
  const at = await changedExample('const initialState', 'const = initialState');
  const { err } = await runTool('verify', CAPTURES, '--app', at('task-board/adapter.ts'));
  expect(err).toMatch(/cannot be bundled: \[PARSE_ERROR\] .* at .*task-board\/app\/board\.ts:24:7\n$/);
});

test('refuses an engine of Parley for an adapter', async () => {
  const { status, err } = await runTool('verify', CAPTURES, '--app', ADAPTER, '--engine', 'fold');
  expect({ status, err }).toEqual({
    status: 2,
    err: '--engine selects an engine of Parley; an adapter (--app) has one\n',
  });
});
