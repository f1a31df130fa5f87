import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { item, message, recv } from '#tests/builders/updateOf.ts';
import { runTool } from '../testing/files.ts';
import { show, terminal } from './testing/terminal.ts';

const RECORDS: readonly CaptureRecord[] = [
  { t: 0, type: 'launch' },
  { t: 1, type: 'open' },
  recv(5, { id: 'm1', modifier: 'ai', content: [{ text: 'hi' }], avatar: '\u202E' }),
  recv(110, { text: 'hello' }),
  { t: 120, type: 'action', action: { type: 'message/requested', payload: { category: 'text', length: 5 } } },
  { t: 130, type: 'send', data: '{"category":"text","text":"Hello back","blob":null}' },
];

test('contract §7 find, json: prints the steps that match, in order, and whether --limit ended the search', async () => {
  await terminal({ x: RECORDS });
  const shown = await show(String.raw`
    find x.parley.jsonl hello
    find x.parley.jsonl --frame '/^\{"id|back/'
    find x.parley.jsonl --act LENGTH
    find x.parley.jsonl --expression 'messages.length == 1'
    find x.parley.jsonl --change messages[0].content[0].text
    find x.parley.jsonl --message m1
    find x.parley.jsonl --update 2
    find x.parley.jsonl --time 0.105
    find x.parley.jsonl --act message --update 1 back
    find x.parley.jsonl hello --from 6
    find x.parley.jsonl hello --from 0.110
    find x.parley.jsonl hello --from 0.111
    find x.parley.jsonl hello --limit 1
    find x.parley.jsonl --change messages.length --limit 1 --json
    find x.parley.jsonl 'nothing of this' --json
    find x.parley.jsonl
    find x.parley.jsonl --expression 'x ==='
    find x.parley.jsonl --time soon
  `);
  await expect(shown).toMatchFileSnapshot('testing/find.txt');
});

test('contract §7 state, json: prints the value at a path, after a step or at a time, or the whole state; names the nearest paths', async () => {
  await terminal({ x: RECORDS });
  const shown = await show(`
    state x.parley.jsonl messages[0].content[0].text
    state x.parley.jsonl messages[0].content[0].text --at 4
    state x.parley.jsonl messages[0].content[0].text --at 0.199
    state x.parley.jsonl messages[0].content[0].text --at 200ms
    state x.parley.jsonl messages[0].avatar
    state x.parley.jsonl messages.length --at 0
    state x.parley.jsonl messages[0].content
    state x.parley.jsonl clock.time
    state x.parley.jsonl messages[0].content[0].text --at 4 --json
    state x.parley.jsonl --json
    state x.parley.jsonl mesages
    state x.parley.jsonl messages[4].content
    state x.parley.jsonl messages[0].contnt
    state x.parley.jsonl messages[0].id.x
    state x.parley.jsonl messages[0].id --at 2
    state x.parley.jsonl messages[
    state x.parley.jsonl messages --at 9
    state x.parley.jsonl messages --at ''
    state x.parley.jsonl messages --at x
  `);
  await expect(shown).toMatchFileSnapshot('testing/state.txt');
});

const PICTURE = { category: 'image', text: 'sea.png', html: null, blob: '' };

const TALK: readonly CaptureRecord[] = [
  { t: 0, type: 'open' },
  recv(12.4, { person: 'Ada Lovelace', messages: [] }),
  { t: 13, type: 'recv', data: 'AAEC', encoding: 'base64' },
  recv(20, message('1', { context: 'Parley', seen: true, content: [item('hello\nyou'), PICTURE] })),
  recv(20, { text: 'at sea' }),
  { t: 900, type: 'action', action: { type: 'connection/confirmed' } },
  { t: 901, type: 'send', data: '{"category":"text","text":"hi","blob":null}' },
  recv(901, {}),
];

const ROOT = join(import.meta.dirname, '../../..');

/** What `run` prints with these options, without them. */
async function shownWith(options: string): Promise<string> {
  const text = await show(`
    run x.parley.jsonl --json --hash --with conversation,notifications,state${options}
    run x.parley.jsonl --json --until 2${options}
    run x.parley.jsonl --json --at 250${options}
    run x.parley.jsonl --json --at 200${options}
    run x.parley.jsonl --json --at 199.999${options}
    run x.parley.jsonl --json --until 0${options}
  `);
  return text.replaceAll(options, '');
}

test('contract §7 run, json, hash, engine: prints the same parts and points in time with each engine and at each speed', async () => {
  await terminal({ x: TALK });
  const shown = await shownWith('');
  await expect(shown).toMatchFileSnapshot('testing/run.txt');
  for (const options of [' --engine store', ' --speed 1000', ' --speed 1000 --engine store'])
    expect(await shownWith(options)).toBe(shown);
});

test('run prints a summary for people, after each update at a speed below max; it refuses other options, and a recording of another program without its adapter', async () => {
  const at = await terminal({ x: TALK });
  const board = join(ROOT, 'examples/task-board/captures/one-person.parley.jsonl');
  await copyFile(board, at('board.parley.jsonl'));
  const shown = await show(`
    run x.parley.jsonl --with conversation,notifications
    run x.parley.jsonl --speed 1000
    run x.parley.jsonl --speed 0
    run x.parley.jsonl --until 1.5
    run x.parley.jsonl --with conversation,weather
    run board.parley.jsonl --json
  `);
  await expect(shown).toMatchFileSnapshot('testing/run-summary.txt');
});

const BURST: readonly CaptureRecord[] = [
  { t: 10, type: 'open' },
  recv(20, { person: 'é', messages: [] }),
  recv(30, []),
  { t: 40, type: 'recv', data: 'AAEC', encoding: 'base64' },
  { t: 50, type: 'send', data: '{"category":"text","text":"hi","blob":null}' },
  { t: 60, type: 'close', code: 1006, reason: '' },
  { t: 560, type: 'open' },
  // Twenty at once, one out each 100 ms: for 1500 ms there are more than five.
  ...Array.from({ length: 20 }, () => recv(2000, { modifier: 'ai' })),
];

const action = (type: string, payload?: object, fields: object = {}): CaptureRecord => {
  return { t: 0, type: 'action', action: { type, payload }, ...fields };
};

const ACTS = [
  { t: 0, type: 'launch' },
  action('window/opened', { number: 1 }, { synthetic: true }),
  action('window/opened', { number: 2 }),
  action('window/opened', { number: 'none' }),
  action('window/closed', { number: 1 }),
  action('window/opened', { number: 3 }),
  action('window/opened', { number: 4 }),
  action('menu/opened', undefined, { window: 2 }),
  ...Array.from({ length: 3 }, () => action('message/requested', { category: 'text' }, { window: 2 })),
  ...['recording/toggleRequested', 'app/quitRequested', 'signIn/refused', 'x/y'].map((one) => action(one)),
];

test('contract §7 stats: prints the numbers of a session with a burst, and the acts by type with the windows', async () => {
  await terminal({ burst: BURST, acts: ACTS });
  const shown = await show(`
    stats burst.parley.jsonl --json --over 5
    stats burst.parley.jsonl
    stats acts.parley.jsonl --json
    stats acts.parley.jsonl
    stats a b
    stats a --format ndjson
    stats a --per-update --format csv
    stats a --per-update --json
  `);
  await expect(shown).toMatchFileSnapshot('testing/stats.txt');
});

/** A session of Ada, which begins later by some milliseconds. */
const opening = (later = 0) => [
  recv(10 + later, { person: 'Ada', messages: [message('a')] }),
  recv(20 + later, item('a secret')),
];

test('contract §7 stats: --per-update prints a row for each update of each capture, and names one that cannot be used', async () => {
  const closed = { t: 500, type: 'close', code: 1006, reason: '' };
  const one = [{ t: 0, type: 'open' }, ...opening(), recv(30, { text: 'another secret' }), closed];
  const at = await terminal({ one, two: [recv(5, { text: 'no message' })] });
  await writeFile(at('list'), 'one.parley.jsonl\ntwo.parley.jsonl\n');
  const all = await show(`
    stats --per-update --format ndjson .
    stats --per-update --files-from list
  `);
  await writeFile(at('two.parley.jsonl'), 'no JSON\n{}\n', { flag: 'a' });
  await expect(all + (await show('stats --per-update .'))).toMatchFileSnapshot(
    'testing/stats-per-update.txt',
  );
});

const having = (text: string, later = 0) => {
  return [...opening(later), recv(30 + later, { text }), recv(40 + later, { context: 'x' })];
};

test('contract §7 diff, exit status: reports the first frame and the paths that differ between captures, or between two points of one', async () => {
  await terminal({
    a: having('Hi'),
    later: having('Hi', 40),
    other: having('Ho'),
    named: [...opening(), recv(30, { text: 'Hi' }), recv(40, { name: 'Grace' })],
  });
  const shown = await show(`
    diff a.parley.jsonl later.parley.jsonl
    diff a.parley.jsonl other.parley.jsonl
    diff named.parley.jsonl --from 2 --to 3
    diff named.parley.jsonl --to 1 --json
    diff named.parley.jsonl --from 4 --to 3 --json
    diff named.parley.jsonl --to 9
    diff a
    diff a a --from 1
    diff gone gone
  `);
  await expect(shown).toMatchFileSnapshot('testing/diff.txt');
});

/** Copies two captures of one run of the program, with other names and goldens. `change` changes the text of the second one. */
async function twoSessions(change = (text: string) => text) {
  const at = await terminal({});
  const captures = join(ROOT, 'tests/captures');
  await copyFile(join(captures, 'sign-out.parley.jsonl'), at('a.parley.jsonl'));
  const next = await readFile(join(captures, 'sign-out.then.parley.jsonl'), 'utf8');
  await writeFile(at('b.parley.jsonl'), change(next));
  expect(await runTool('verify', at(''), '--update', '-q')).toMatchObject({ err: '' });
}

test.each(['fold', 'store'])('run --then continues after a sign-out, with the engine %s', async (engine) => {
  await twoSessions();
  const run = async (...args: readonly string[]): Promise<unknown> => {
    const { out } = await runTool('run', ...args, '--engine', engine, '--json', '--hash', '--with', 'state');
    return Object.assign(JSON.parse(out), { wallMs: 0 });
  };
  const [first, second] = ['a.parley.jsonl', 'b.parley.jsonl'] as const;
  const together = await run(first, '--then', second);
  expect(together).toEqual(await run(second));
  expect(together).toMatchObject({ capture: second, updates: { applied: expect.any(Number) } });
  const counts = { received: 0, sent: 0, dropped: 0, applied: 0 };
  const windows = { 1: { own: { view: 'conversation', textBox: null, find: null } } };
  const state = { connection: { status: 'disconnected' }, counts, words: [], title: 'Parley', windows };
  expect(await run(first, '--then', second, '--at', '0')).toMatchObject({ state });
});

test('run and verify --then name where the beginning of the next capture is not the state before, with status 1', async () => {
  await twoSessions((text) => text.replace('"theme":"light"', '"theme":"dark"'));
  const shown = await show(`
    run a.parley.jsonl --then b.parley.jsonl --json
    verify a.parley.jsonl b.parley.jsonl
    verify a.parley.jsonl --then b.parley.jsonl
  `);
  await expect(shown).toMatchFileSnapshot('testing/then.txt');
  await twoSessions();
  expect(await show('verify a.parley.jsonl --then b.parley.jsonl')).toContain('2 same');
});
