import { writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import type { StepLines, StepPair } from '#shared/ipc/sourceLines.ts';
import { captureIn, storeSource } from '../testing/files.ts';
import { sourceLines } from './sourceLines.ts';

/** Three updates, 100 ms apart. Their steps at their ticks are 2, 4 and 6. */
const frames = (...all: readonly unknown[]) => all.map((frame, i) => recv(1 + 100 * i, frame));

async function linesIn(all: readonly unknown[], pairs: readonly StepPair[], source?: string) {
  const { at, path } = await captureIn(frames(...all));
  const app = source === undefined ? undefined : at('adapter.ts');
  if (app !== undefined) await writeFile(app, source ?? '');
  return { app: app ?? '', found: await sourceLines({ app, capture: { path }, pairs }) };
}

const placesIn = (found: StepLines | undefined) =>
  found?.lines.map(({ file, function: name, text }) => `${file} ${name}: ${text}`).join('\n');

test('names the lines that ran in a step and not in one of its kind that left the value alone', async () => {
  const message = { modifier: 'ai', content: [{ category: 'text', text: 'It' }] };
  const pairs = [{ step: 6, unlike: 4 }, { step: 6 }];
  const { found } = await linesIn([message, { text: 'It' }, { text: 'It does' }], pairs);
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

const STORE = `${storeSource('{ total: 0, large: 0 }')}
function reduce(state, amount) {
  if (amount < 10) return { ...state, total: state.total + amount };
  return countLarge(state);
}

function countLarge(state) {
  return { ...state, large: state.large + 1 };
}
`;

test('names the lines of an app of a store, whose code runs before its steps', async () => {
  const { found } = await linesIn([1, 1, 10], [{ step: 6, unlike: 4 }], STORE);
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
