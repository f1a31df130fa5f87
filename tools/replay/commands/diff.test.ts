import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { outOf, runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const OPENING = [recv(0, { person: 'Ada', messages: [message('a')] }), recv(1, item('hi'))];

async function captures(...all: readonly Parameters<typeof writeCapture>[1][]) {
  const at = await temporaryFolder();
  return Promise.all(all.map((records, i) => writeCapture(at(`${'ab'[i]}.parley.jsonl`), records)));
}

test('diff reports captures with the same frames at other times as the same, with status 0', async () => {
  const later = OPENING.map((record) => ({ ...record, t: record.t + 40 }));
  const out = 'the same frames and the same final state\n';
  expect(await runTool('diff', ...(await captures(OPENING, later)))).toEqual({ status: 0, out, err: '' });
});

test('contract §7 diff, exit status: reports the frame and the path in the state that differ, with status 1', async () => {
  const [a = '', b = ''] = await captures(
    [...OPENING, recv(2, { text: 'Hi' }), recv(3, { context: 'x' })],
    [...OPENING, recv(2, { text: 'Ho' }), recv(3, { context: 'x' })],
  );
  const { status, out } = await runTool('diff', a, b);
  expect(status).toBe(1);
  expect(out.split('\n')).toEqual([
    `a  ${a}`,
    `b  ${b}`,
    '',
    'frame 3 is the first that differs',
    String.raw`  a  recv at 2 ms  "{\"text\":\"Hi\"}"`,
    String.raw`  b  recv at 2 ms  "{\"text\":\"Ho\"}"`,
    '',
    'the final state differs',
    '  messages[0].content[1].text',
    '    a  "Hi"',
    '    b  "Ho"',
    '',
  ]);
});

test('contract §7 diff: reports what changed between two points of a capture, with status 0', async () => {
  const [a = ''] = await captures([...OPENING, recv(2, { text: 'Hi' }), recv(3, { name: 'Grace' })]);
  const out = await outOf('diff', a, '--from', '2', '--to', '3');
  const lines = '  messages[0].content[1].text\n    from  "hi"\n    to    "Hi"\n';
  expect(out).toBe(`${a}, from update 2 to update 3\n${lines}`);
  const whole = await runTool('diff', a, '--to', '1', '--json');
  const named = { path: 'person', before: null, after: 'Ada' };
  expect(JSON.parse(whole.out)).toMatchObject({ from: 0, to: 1, state: [named, { path: 'messages[0]' }] });
  const back = await runTool('diff', a, '--from', '4', '--to', '3', '--json');
  expect(JSON.parse(back.out).state).toEqual([{ ...named, before: 'Grace' }]);
  expect((await runTool('diff', a, '--to', '9')).err).toBe(`--to 9: ${a} has 4 updates\n`);
});

test.each([
  [['a'], 'diff takes two captures, or one with --from and --to\n'],
  [['a', 'a', '--from', '1'], '--from and --to are for one capture\n'],
  [['gone', 'gone'], 'gone: there is no such file\n'],
])('diff refuses %j in one line, with status 2', async (args, err) => {
  expect(await runTool('diff', ...args)).toEqual({ status: 2, out: '', err });
});

const CORPUS = join(import.meta.dirname, '../../../tests/captures');

/** Copies two captures of one run of the program, with other names. `change` changes the text of the second one. */
async function twoSessions(change = (text: string) => text) {
  const at = await temporaryFolder();
  const [first, second] = [at('a.parley.jsonl'), at('b.parley.jsonl')];
  await copyFile(join(CORPUS, 'sign-out.parley.jsonl'), first);
  await writeFile(second, change(await readFile(join(CORPUS, 'sign-out.then.parley.jsonl'), 'utf8')));
  expect(await runTool('verify', first, second, '--update', '-q')).toMatchObject({ err: '' });
  return { first, second };
}

test.each(['fold', 'store'])('run --then continues after a sign-out, with the engine %s', async (engine) => {
  const { first, second } = await twoSessions();
  const run = async (...args: string[]): Promise<unknown> => {
    const options = ['--engine', engine, '--json', '--hash', '--with', 'state'];
    const { out } = await runTool('run', ...args, ...options);
    return Object.assign(JSON.parse(out), { wallMs: 0 });
  };
  const together = await run(first, '--then', second);
  expect(together).toEqual(await run(second));
  expect(together).toMatchObject({ capture: second, updates: { applied: expect.any(Number) } });
  const counts = { received: 0, sent: 0, dropped: 0, applied: 0 };
  const windows = { 1: { own: { view: 'conversation', textBox: null, find: null } } };
  const state = { connection: { status: 'disconnected' }, counts, words: [], title: 'Parley', windows };
  expect(await run(first, '--then', second, '--at', '0')).toMatchObject({ state });
});

test('run and verify --then name where the beginning of the next capture is not the state before, with status 1', async () => {
  const { first, second } = await twoSessions((text) => text.replace('"theme":"light"', '"theme":"dark"'));
  const problem = 'its beginning is not the state in which the capture before ends: preferences.theme';
  const continued = await runTool('run', first, '--then', second);
  expect(continued).toMatchObject({ status: 1, err: `${second}: ${problem}\n` });
  expect((await runTool('verify', first, second)).status).toBe(0);
  const { status, out } = await runTool('verify', first, '--then', second);
  expect(status).toBe(1);
  expect(out).toContain(`  after ${first}\n  the beginning is not the state before\n    preferences.theme\n`);
  expect(out).toContain('differs: the beginning after another session: preferences.theme\n');
  const good = await twoSessions();
  expect((await runTool('verify', good.first, '--then', good.second)).status).toBe(0);
});
