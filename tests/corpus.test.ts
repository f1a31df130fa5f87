import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { alertDismissed } from '#shared/actions/windowActions.ts';
import type { Update, UpdateKind } from '#shared/protocol/update.ts';
import { type ReplayCode, appCode } from '#shared/replay/code.ts';
import { describeCaptures } from '#replay/vitest.ts';
import { verifyParley } from '#replay/verify/testing/verifyParley.ts';

const CORPUS = join(import.meta.dirname, 'captures');
/** Captures that together have every kind of update, rejected frames and actions of windows: the faults below are looked for in them. */
const FEW = [
  'decoder-depth',
  'ignored-before-any-message',
  'notification-texts',
  'null-texts',
  'rejected-frames',
  'snapshot-replaces',
  'snapshots',
  'streamed-text',
  'ticks-and-bursts',
  'unknown-fields',
  'two-windows',
].map((name) => join(CORPUS, `${name}.parley.jsonl`));

describeCaptures(CORPUS, { name: 'the corpus' });

type Fold = ReplayCode['applyUpdate'];
type Decode = ReplayCode['decodeUpdate'];

/** Returns the app's code with another fold for one kind of update. */
const folding = (kind: UpdateKind, fold: Fold): ReplayCode => ({
  ...appCode,
  applyUpdate: (conversation, update) =>
    update.kind === kind ? fold(conversation, update) : appCode.applyUpdate(conversation, update),
});

const effective = (kind: UpdateKind, takes: boolean): ReplayCode => ({
  ...appCode,
  hasTarget: (conversation, update) =>
    update.kind === kind ? takes : appCode.hasTarget(conversation, update),
});

const decoding = (decode: Decode): ReplayCode => ({ ...appCode, decodeUpdate: decode });

const twice: Fold = (conversation, update) =>
  appCode.applyUpdate(appCode.applyUpdate(conversation, update), update);

/** Applies a snapshot by appending its messages instead of replacing the conversation. */
const adding: Fold = (conversation, update) => {
  const messages = update.kind === 'snapshot' ? (update.frame.messages ?? []) : [];
  return messages.reduce<Conversation>(
    (state, frame) => appCode.applyUpdate(state, { kind: 'message', frame }),
    conversation,
  );
};

/** Decodes a frame with two discriminators by the weaker one. */
const weaker: Decode = (text) => {
  const update = appCode.decodeUpdate(text);
  if (update.kind === 'rejected' || !Object.hasOwn(update.frame, 'text')) return update;
  return appCode.decodeUpdate(JSON.stringify({ text: Object(update.frame).text }));
};

const nullAsText: Decode = (text) => {
  const update = appCode.decodeUpdate(text);
  if (update.kind !== 'text' || update.frame.text !== null) return update;
  return { kind: 'text', frame: { text: 'null' } };
};

const textsOf = (kind: UpdateKind, change: (update: Update) => Update): ReplayCode =>
  folding(kind, (conversation, update) => appCode.applyUpdate(conversation, change(update)));

/** Possible faults, each with the kind of update at which verify must find it. */
const UPDATE_FAULTS: readonly (readonly [string, UpdateKind, ReplayCode])[] = [
  ['a snapshot adds and does not replace', 'snapshot', folding('snapshot', adding)],
  ['a message is appended twice', 'message', folding('message', twice)],
  ['a message loses the fields that are not specified', 'message', textsOf('message', specified)],
  ['a text of null is decoded as the text "null"', 'text', decoding(nullAsText)],
  ['a content item without a message counts as applied', 'content', effective('content', true)],
];

function specified(update: Update): Update {
  if (update.kind !== 'message') return update;
  const { id, modifier, content, context, avatar, seen } = update.frame;
  const fields = Object.entries({ id, modifier, content, context, avatar, seen });
  return { kind: 'message', frame: Object.fromEntries(fields.filter(([, value]) => value !== undefined)) };
}

/** Verifies the captures with other code; resolves with the differences. */
async function differencesUnder(code: ReplayCode) {
  const results = await Promise.all(FEW.map((path) => verifyParley(path, { code })));
  return results.flatMap(({ difference }) => difference ?? []);
}

const tickEarlier: ReplayCode['tickFor'] = (at, previous) =>
  appCode.tickFor(Math.max(0, at - 0.001), previous);

describe('verify fails and names the update when', () => {
  test.each(UPDATE_FAULTS)('%s', async (_, kind, code) => {
    const differences = await differencesUnder(code);
    expect(differences.length).toBeGreaterThan(0);
    for (const { update, state } of differences) {
      expect(update).toMatchObject({ kind, number: expect.any(Number) });
      expect(state.length).toBeGreaterThan(0);
    }
  });

  test('a frame is decoded by its weaker field (the kind differs)', async () => {
    const differences = await differencesUnder(decoding(weaker));
    const paths = differences.flatMap(({ state }) => state.map(({ path }) => path));
    expect(paths).toContain('update.kind');
  });

  test('a frame that arrives at a tick does not wait for the next', async () => {
    const differences = await differencesUnder({ ...appCode, tickFor: tickEarlier });
    const paths = differences.flatMap(({ state }) => state.map(({ path }) => path));
    expect(paths).toContain('update.tick');
  });

  test.each(['tooDeep', 'wrongType'] as const)(
    'a frame that is %s is accepted (the first additional update)',
    async (reason) => {
      const lenient: Decode = (text) => {
        const update = appCode.decodeUpdate(text);
        const isMeant = update.kind === 'rejected' && update.reason === reason;
        return isMeant ? { kind: 'notification', frame: {} } : update;
      };
      const differences = await differencesUnder(decoding(lenient));
      expect(differences.length).toBeGreaterThan(0);
      for (const { update, end } of differences) {
        expect(update?.number).toBeGreaterThan(0);
        expect(end.map(({ path }) => path)).toSatisfy((paths: string[]) =>
          paths.some((path) => path.startsWith('counts.rejected')),
        );
      }
    },
  );
});

/** Reduces acts, but keeps an alert that a person dismisses. */
const keepAlerts: ReplayCode['reduceActs'] = (state, action) => {
  const acts = appCode.reduceActs(state, action);
  const windows = alertDismissed.match(action) ? state?.windows : undefined;
  return windows === undefined ? acts : { ...acts, windows };
};

test('verify fails and names the window, the path and the time when a reducer of a window differs', async () => {
  const ends = (await differencesUnder({ ...appCode, reduceActs: keepAlerts })).map(({ end }) => end);
  expect(ends).toContainEqual([{ path: 'windows[2].own.alerts.waiting.length at 9600 ms', expected: 0 }]);
});

test('verify succeeds with a copy of the app’s own code', async () => {
  expect(await differencesUnder({ ...appCode })).toEqual([]);
});
