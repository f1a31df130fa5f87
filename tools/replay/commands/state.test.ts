import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { recv } from '#tests/builders/recv.ts';
import { captureOf, runTool } from '../testing/files.ts';

const RECORDS: readonly CaptureRecord[] = [
  { t: 0, type: 'launch' },
  { t: 1, type: 'open' },
  recv(5, { id: 'm1', modifier: 'ai', content: [{ text: '' }] }),
  recv(110, { text: 'hel\u202Elo' }),
];

const state = async (...args: readonly string[]) => {
  const path = await captureOf(RECORDS);
  return { path, ...(await runTool('state', path, ...args)) };
};

const TEXT = 'messages[0].content[0].text';

test.each([
  [[TEXT], '"hel\\u202elo"\n'],
  [[TEXT, '--at', '4'], '""\n'],
  [[TEXT, '--at', '0.199'], '""\n'],
  [[TEXT, '--at', '200ms'], '"hel\\u202elo"\n'],
  [['messages.length', '--at', '0'], '0\n'],
  [['messages[0].content'], '[\n  {\n    "text": "hel\\u202elo"\n  }\n]\n'],
  [['clock.time'], '"0.200"\n'],
])('contract §7 state: %j prints the value at a path, after a step or at a time', async (args, out) => {
  expect(await state(...args)).toMatchObject({ status: 0, out, err: '' });
});

test('contract §7 json: state prints one document with the step and the value; without a path, with the whole state', async () => {
  const { path, out } = await state(TEXT, '--at', '4', '--json');
  expect(JSON.parse(out)).toEqual({ capture: path, step: 4, t: 100, path: TEXT, value: '', version: 1 });
  const whole: unknown = JSON.parse((await state('--json')).out);
  expect(whole).toMatchObject({
    step: 6,
    value: { messages: [{ id: 'm1' }], connection: {}, queue: { length: 0 } },
  });
  expect(whole).not.toHaveProperty('path');
});

test.each([
  [['mesages'], 'there is nothing at mesages at this step; the nearest paths are messages\n'],
  [
    ['messages[4].content'],
    'there is nothing at messages[4].content at this step; the nearest paths are messages[0], messages.length\n',
  ],
  [['messages[0].contnt'], expect.stringMatching(/the nearest paths are messages\[0\]\.content\n$/)],
  [['messages[0].id.x'], expect.stringMatching(/the nearest paths are messages\[0\]\.id\n$/)],
  [['messages[0].id', '--at', '2'], expect.stringMatching(/the nearest paths are messages\n$/)],
  [['messages['], '“messages[” is not a path; a path is written like messages[3].content[0].text\n'],
  [['messages', '--at', '7'], expect.stringMatching(/^--at 7: .*\.parley\.jsonl ends with step 6\n$/)],
  [
    ['messages', '--at', 'x'],
    '--at takes a step, such as 12, or a time, such as 1.230, 2:03.400 or 1500ms\n',
  ],
])('refuses %j in one line, with status 2', async (args, err) => {
  expect(await state(...args)).toMatchObject({ status: 2, out: '', err });
});
