import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import { CHAT_RECORDS } from '../store/testing/teamChat.ts';
import { captureIn, captureOf, giveStdin, outOf, refused, runTool } from '../testing/files.ts';
import { whySchema } from '../why/whyDocument.ts';

const STORE = join(import.meta.dirname, '../store/testing/teamChatAdapter.ts');
const BOARD = 'examples/task-board';

const RECORDS = [
  { t: 0, type: 'open' },
  recv(5, { person: 'Zoë', messages: [message('m-1')] }),
  recv(120, { text: 'Hel' }),
  recv(130, { text: 'Hello' }),
  recv(140, { context: 'Support' }),
  recv(150, { text: 'Hello' }),
] as const;

const PATH = 'messages[0].content[0].text';

/** Asks about these records on stdin, which is read once: no lines of source are looked for. */
async function ofStdin(records: Parameters<typeof captureOf>[0], ...args: readonly string[]) {
  giveStdin(await readFile(await captureOf(records)));
  return runTool('why', '-', ...args);
}

async function documentOf(...args: readonly string[]) {
  const out = await outOf('why', ...args, '--json');
  return whySchema.strict().parse(JSON.parse(out));
}

test('contract §7 why: lists the steps that changed a value, the newest first, with their frames and lines of source', async () => {
  const capture = await captureOf(RECORDS);
  const out = await outOf('why', capture, PATH);
  expect(out).toMatch(/applyUpdate\.ts: .*changeText [\d ]+/);
  expect(out.replaceAll(/^ {6}.*\n/gm, '')).toBe(`${PATH} in ${capture}
3 steps up to step 11 (0.500) changed it.

step 9  0.300  text  …lo
    "Hel" → "Hello"
    line 5, offset 412, 16 bytes, field text, received at 0.130
    all that ran

step 8  0.200  text  Hel
    "m-1" → "Hel"
    line 4, offset 360, 14 bytes, field text, received at 0.120
    all that ran

step 3  0.100  snapshot  Zoë, 1 message
    nothing → "m-1"
    line 3, offset 115, 175 bytes, field messages[0].content[0].text, received at 0.005
    all that ran
`);
  expect((await runTool('why', capture, 'audio.isRecording')).out).toContain(
    '0 steps up to step 11 (0.500) changed it. Its value is false, from the beginning.\n',
  );
});

test('contract §7 why, json: prints the offset of the frame’s line, and the nearest step of the same kind that left the value alone', async () => {
  const capture = await captureOf(RECORDS);
  const document = await documentOf(capture, PATH);
  expect(document).toMatchObject({ version: 1, capture, path: PATH, step: 11, t: 500, value: 'Hello' });
  const bytes = await readFile(capture);
  const lines = bytes.toString().split('\n');
  for (const { frame } of document.entries ?? []) {
    const { offset = 0, line = 0 } = frame;
    expect(bytes.subarray(offset).toString().split('\n', 1)).toEqual([lines[line - 1]]);
  }
  const steps = document.entries?.map(({ step, unlike = '' }) => `${step}${unlike}`);
  expect(steps).toEqual(['9', '8', '3']);
  const context = await ofStdin(RECORDS, 'messages[0].context', '--at', '10', '--json');
  const change = { step: 10, before: 'Assistant', after: 'Support', field: 'context' };
  expect(JSON.parse(context.out).entries[0]).toMatchObject(change);
  const records = [...RECORDS.slice(0, 4), recv(140, { text: 'Hello' }), recv(150, { text: 'Bye' })];
  const again = await ofStdin(records, PATH, '--json');
  const unlike = { before: 'Hello', after: 'Bye', step: 11, unlike: 10 };
  expect(JSON.parse(again.out).entries[0]).toMatchObject(unlike);
});

test('why lists what changed in a value with parts, and leaves long lists out', async () => {
  const messages = Array.from({ length: 101 }, (_, i) => message(`m-${i}`));
  const records = [recv(0, { person: 'Ada', messages }), recv(110, { context: 'Support' })];
  const { entries = [] } = JSON.parse((await ofStdin(records, 'messages', '--json')).out);
  const changes = [{ path: 'messages[100].context', before: 'Assistant', after: 'Support' }];
  expect(entries[0]).toMatchObject({ changes, changeCount: 1, field: 'context' });
  expect(entries[0]).not.toHaveProperty('after');
  expect(entries[1]).toMatchObject({ changeCount: 101 });
  expect(entries[1]?.changes).toHaveLength(50);
  const { out } = await ofStdin(records, 'messages');
  expect(out).toContain('    messages[100].context: "Assistant" → "Support"\n');
  expect(out).toContain('    and 96 more\n');
});

const NEAREST = 'the nearest paths are messages[0], messages.length';

test.each([
  [['messages[7].seen'], `messages[7].seen never existed; ${NEAREST}\n`],
  [['mesages[0]'], expect.stringMatching(/not a path of the state; a path begins with person, messages/)],
  [['a b'], expect.stringMatching(/is not a path; a path is written like/)],
  [['person', '--at', 'x'], expect.stringMatching(/^--at takes a step, such as 12, or a time/)],
])('contract §7 exit status: why refuses %j in one line, with status 2', async (args, err) => {
  expect(await runTool('why', await captureOf(RECORDS), ...args)).toEqual(refused(err));
});

test('contract §7 why --not: says why each update that could have changed a value did not', async () => {
  const { status, out } = await ofStdin(RECORDS, '--not', 'messages[1].context', '--at', '10');
  expect(status).toBe(0);
  expect(out).toContain('2 steps up to step 10 (0.400) could have changed it. Its value is nothing.\n');
  expect(out).toContain('    it changed messages[0].context\n    line 6,');
  const json = await ofStdin(RECORDS, '--not', 'messages[1].context', '--json');
  const paths = ['messages[0].context'];
  const reason = { type: 'context', reason: 'otherPath', paths, receivedAt: 140 };
  expect(JSON.parse(json.out).candidates[0]).toMatchObject(reason);
});

test('contract §7 why: reads a HAR, which has no lines', async () => {
  const { at, path } = await captureIn(RECORDS);
  await runTool('export', path, '--to', 'har', '-o', at('x.har'));
  const { entries = [] } = await documentOf(at('x.har'), PATH);
  expect(entries.map(({ after }) => after)).toEqual(['Hello', 'Hel', 'm-1']);
  for (const { frame } of entries) expect(Object.keys(frame)).toEqual(['record', 'bytes']);
});

test('why explains sessions of another app, and of a store, whose updates name their record', async () => {
  const two = `${BOARD}/captures/two-people.parley.jsonl`;
  const { entries = [], app } = await documentOf(two, 'state', '--app', `${BOARD}/adapter.ts`);
  expect(app).toBe('task-board');
  expect(entries.length).toBeGreaterThan(3);
  expect(entries.some(({ field }) => field !== undefined)).toBe(true);

  const capture = await captureOf(CHAT_RECORDS);
  const { entries: ofStore = [] } = await documentOf(capture, 'state.read', '--app', STORE);
  expect(ofStore).toHaveLength(2);
  for (const { frame } of ofStore) expect(frame.line).toBe(frame.record + 1);
});
