import { readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { StepLines, StepPair } from '#shared/ipc/sourceLines.ts';
import { message, recv } from '#tests/builders/updateOf.ts';
import { CHAT_RECORDS } from '../store/testing/teamChat.ts';
import { captureIn, captureOf, outOf, runTool, storeSource } from '../testing/files.ts';
import { show, terminal } from './testing/terminal.ts';
import { sourceLines } from '../why/sourceLines.ts';
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

async function documentOf(...args: readonly string[]) {
  const out = await outOf('why', ...args, '--json');
  return whySchema.strict().parse(JSON.parse(out));
}

test('contract §7 why, why --not: lists the steps that changed a value, the newest first, with their frames and lines of source, and why other updates did not', async () => {
  const messages = Array.from({ length: 101 }, (_, i) => message(`m-${i}`));
  await terminal({
    x: RECORDS,
    again: [...RECORDS.slice(0, 4), recv(140, { text: 'Hello' }), recv(150, { text: 'Bye' })],
    long: [recv(0, { person: 'Ada', messages }), recv(110, { context: 'Support' })],
  });
  const shown = await show(`
    why x.parley.jsonl ${PATH}
    why x.parley.jsonl audio.isRecording
    why x.parley.jsonl messages[0].context --at 10
    why again.parley.jsonl ${PATH}
    why - messages < long.parley.jsonl
    why x.parley.jsonl --not messages[1].context --at 10
    why - --not messages[1].context --at 10 < x.parley.jsonl
  `);
  expect(shown).toMatch(/applyUpdate\.ts: .*changeText [\d ]+/);
  await expect(shown.replaceAll(/^ {6}.*\n/gm, '')).toMatchFileSnapshot('testing/why.txt');
  const { entries: [again] = [] } = await documentOf('again.parley.jsonl', PATH);
  expect(again).toMatchObject({ before: 'Hello', after: 'Bye', step: 11, unlike: 10 });
  const { candidates: [other] = [] } = await documentOf('x.parley.jsonl', '--not', 'messages[1].context');
  const [type, reason] = ['context', 'otherPath'];
  expect(other).toMatchObject({ type, reason, paths: ['messages[0].context'], receivedAt: 140 });
  const { entries: [last, first] = [] } = await documentOf('long.parley.jsonl', 'messages');
  const changes = [{ path: 'messages[100].context', before: 'Assistant', after: 'Support' }];
  expect(last).toMatchObject({ changes, changeCount: 1, field: 'context' });
  expect(last).not.toHaveProperty('after');
  expect(first?.changeCount).toBe(101);
  expect(first?.changes).toHaveLength(50);
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

/** Finds the lines of these pairs of steps in three updates, 100 ms apart. Their steps at their ticks are 2, 4 and 6. */
async function linesIn(all: readonly unknown[], pairs: readonly StepPair[], source?: string) {
  const { at, path } = await captureIn(all.map((frame, i) => recv(1 + 100 * i, frame)));
  const app = at('adapter.ts');
  if (source !== undefined) await writeFile(app, source);
  const lines = { app: source && app, capture: { path }, pairs };
  return { app, found: await sourceLines(lines) };
}

const placesIn = (found: StepLines | undefined) =>
  found?.lines.map(({ file, function: name, text }) => `${file} ${name}: ${text}`).join('\n');

test('names the lines that ran in a step and not in one of its kind that left the value alone', async () => {
  const first = { modifier: 'ai', content: [{ category: 'text', text: 'It' }] };
  const pairs = [{ step: 6, unlike: 4 }, { step: 6 }];
  const { found } = await linesIn([first, { text: 'It' }, { text: 'It does' }], pairs);
  const [difference, whole] = found;
  expect(difference?.of).toBe('difference');
  expect(placesIn(difference)).toContain('src/shared/conversation/conversation.ts withText: ');
  expect(placesIn(difference)).not.toContain('src/shared/conversation/applyUpdate.ts applyUpdate:');
  expect(whole?.of).toBe('all');
  expect(placesIn(whole)).toContain(
    'src/shared/conversation/applyUpdate.ts applyUpdate: return changeText(conversation, update.frame.text);',
  );
});

const ADAPTER = `
import type { AppAdapter } from ${JSON.stringify(resolve('tools/replay/adapter.ts'))};

const isLarge = (amount: number): boolean => amount > 9;

function added(total: number, amount: number): number {
  if (isLarge(amount)) {
    const bonus = 1;
    return total + amount + bonus;
  }
  return total + amount;
}

export const adapter: AppAdapter<number, number> = {
  name: 'sum',
  decode: (data) => ({ update: Number(data) }),
  kind: () => 'added',
  initialState: 0,
  reduce: added,
};
`;

test('names the lines of another app, with its functions and places in its sources', async () => {
  const { app, found } = await linesIn([1, 10], [{ step: 4, unlike: 2 }], ADAPTER);
  const file = relative(process.cwd(), app);
  const line = { file, line: 9, function: 'added', text: 'return total + amount + bonus;' };
  expect(found).toEqual([{ of: 'difference', lines: [line] }]);
});

const SUM_STORE = `${storeSource('{ total: 0, large: 0 }')}
function reduce(state, amount) {
  if (amount < 10) return { ...state, total: state.total + amount };
  return countLarge(state);
}

function countLarge(state) {
  return { ...state, large: state.large + 1 };
}
`;

test('names the lines of an app of a store, whose code runs before its steps', async () => {
  const { found } = await linesIn([1, 1, 10], [{ step: 6, unlike: 4 }], SUM_STORE);
  expect(found[0]?.lines.map(({ function: name, text }) => `${name}: ${text}`)).toEqual([
    'reduce: return countLarge(state);',
    'countLarge: function countLarge(state) {',
    'countLarge: return { ...state, large: state.large + 1 };',
  ]);
});

test('takes the text of a capture, and refuses one that is none in one line', async () => {
  const capture = { name: 'the session', text: 'nothing' };
  await expect(sourceLines({ app: undefined, capture, pairs: [{ step: 1 }] })).rejects.toThrow(
    'the session:1: is not',
  );
});
