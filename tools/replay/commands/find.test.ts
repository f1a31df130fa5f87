import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { recv } from '#tests/builders/recv.ts';
import { captureOf, runTool } from '../testing/files.ts';

const RECORDS: readonly CaptureRecord[] = [
  { t: 0, type: 'launch' },
  { t: 1, type: 'open' },
  recv(5, { id: 'm1', modifier: 'ai', content: [{ text: 'hi' }], avatar: '\u202E' }),
  recv(110, { text: 'hello' }),
  { t: 120, type: 'action', action: { type: 'message/requested', payload: { category: 'text', length: 5 } } },
  { t: 130, type: 'send', data: '{"category":"text","text":"Hello back","blob":null}' },
];

const onCapture = async (command: string, ...args: readonly string[]) => {
  const path = await captureOf(RECORDS);
  return { path, ...(await runTool(command, path, ...args)) };
};
const find = (...args: readonly string[]) => onCapture('find', ...args);
const state = (...args: readonly string[]) => onCapture('state', ...args);

const LINES = {
  frame: '      3      0.005  received      ai: [file hi]\n',
  message: '      4      0.100  applied       ai: [file hi]\n',
  text: '      5      0.110  received      hello\n',
  act: '      6      0.120  action        message/requested category: "text", length: 5\n',
  sent: '      7      0.130  sent          Hello back\n',
  applied: '      8      0.200  applied       hello\n',
};

test.each([
  [['hello'], 'text sent'],
  [['--frame', '/^\\{"id|back/'], 'frame sent'],
  [['--act', 'LENGTH'], 'act'],
  [['--expression', 'messages.length == 1'], 'message'],
  [['--change', 'messages[0].content[0].text'], 'message applied'],
  [['--message', 'm1'], 'message'],
  [['--update', '2'], 'applied'],
  [['--time', '0.105'], 'text'],
  [['--act', 'message', '--update', '1', 'back'], 'message act sent'],
  [['hello', '--from', '6'], 'sent'],
  [['hello', '--from', '0.110'], 'text sent'],
  [['hello', '--from', '0.111'], 'sent'],
  [['hello', '--limit', '1'], 'text'],
])('contract §7 find: %j prints the steps that match, in order', async (args, steps) => {
  const out = Object.entries(LINES).map(([name, line]) => (steps.split(' ').includes(name) ? line : ''));
  expect(await find(...args)).toMatchObject({ status: 0, err: '', out: out.join('') });
});

test('contract §7 json: find prints one document with the steps, and whether --limit ended the search', async () => {
  const { path, status, out } = await find('--change', 'messages.length', '--limit', '1', '--json');
  expect(status).toBe(0);
  const applied = { step: 4, kind: 'applied', t: 100, delay: 95, update: 1, updateKind: 'message' };
  expect(JSON.parse(out)).toEqual({
    capture: path,
    steps: [{ ...applied, record: 3, bytes: expect.any(Number), changed: true, summary: 'ai: [file hi]' }],
    isCut: true,
    version: 1,
  });
  const none = await find('nothing of this', '--json');
  expect({ ...none, out: JSON.parse(none.out) }).toEqual({
    path: none.path,
    status: 1,
    out: { capture: none.path, steps: [], isCut: false, version: 1 },
    err: `${none.path}: no step matches\n`,
  });
});

test.each([
  [[], 'name what to find: a text, --expression, --change, --frame, --act, --message, --update or --time\n'],
  [['--expression', 'x ==='], expect.stringMatching(/^This expression cannot be read: .*\n$/)],
  [['--time', 'soon'], '--time takes a time, such as 1.230, 2:03.400 or 1500ms\n'],
])('find refuses %j in one line, with status 2', async (args, err) => {
  expect(await find(...args)).toMatchObject({ status: 2, out: '', err });
});

const TEXT = 'messages[0].content[0].text';

test.each([
  [[TEXT], '"hello"\n'],
  [[TEXT, '--at', '4'], '"hi"\n'],
  [[TEXT, '--at', '0.199'], '"hi"\n'],
  [[TEXT, '--at', '200ms'], '"hello"\n'],
  [['messages[0].avatar'], '"\\u202e"\n'],
  [['messages.length', '--at', '0'], '0\n'],
  [['messages[0].content'], '[\n  {\n    "text": "hello"\n  }\n]\n'],
  [['clock.time'], '"0.200"\n'],
])('contract §7 state: %j prints the value at a path, after a step or at a time', async (args, out) => {
  expect(await state(...args)).toMatchObject({ status: 0, out, err: '' });
});

test('contract §7 json: state prints one document with the step and the value; without a path, with the whole state', async () => {
  const { path, out } = await state(TEXT, '--at', '4', '--json');
  expect(JSON.parse(out)).toEqual({ capture: path, step: 4, t: 100, path: TEXT, value: 'hi', version: 1 });
  const whole: unknown = JSON.parse((await state('--json')).out);
  const value = { messages: [{ id: 'm1' }], connection: {}, queue: { length: 0 } };
  expect(whole).toMatchObject({ step: 8, value });
  expect(whole).not.toHaveProperty('path');
});

test.each([
  [['mesages'], /^there is nothing at mesages at this step; the nearest paths are messages\n$/],
  [['messages[4].content'], /^there is .* the nearest paths are messages\[0\], messages\.length\n$/],
  [['messages[0].contnt'], /the nearest paths are messages\[0\]\.content\n$/],
  [['messages[0].id.x'], /the nearest paths are messages\[0\]\.id\n$/],
  [['messages[0].id', '--at', '2'], /the nearest paths are messages\n$/],
  [['messages['], /^“messages\[” is not a path; a path is written like messages\[3\]\.content\[0\]\.text\n$/],
  [['messages', '--at', '9'], /^--at 9: .*\.parley\.jsonl ends with step 8\n$/],
  [['messages', '--at', ''], /^--at takes a step/],
  [['messages', '--at', 'x'], /^--at takes a step, such as 12, or a time, such as 1\.230, .* 1500ms\n$/],
])('state refuses %j in one line, with status 2', async (args, err) => {
  expect(await state(...args)).toMatchObject({ status: 2, out: '', err: expect.stringMatching(err) });
});
