import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ActsState, initialActs } from '#shared/capture/recordedActions.ts';
import { toArray, vectorOf } from '#shared/conversation/vector.ts';
import { WORDS } from '#shared/conversation/conversation.ts';
import { initialWindowState } from '#shared/store/windowState.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { valueDiff } from '../diff/valueDiff.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';
import { applyChanges, connectionChanges, recordedChanges } from '../golden/changes.ts';
import type { ActsChange, ConnectionChange } from '../golden/golden.ts';
import { watchConnection } from '../golden/traceCapture.ts';
import { type Totals, actsChanges, totalsDiff } from './parleyReports.ts';

/** Generates what a faulty reducer may set a field to: also another type, `null` and `undefined`. */
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, '', 'removed', 0, 1, true, [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Generates states of a slice: each field is that of the sample, anything else, or missing. */
const statesLike = <T extends object>(sample: T) => {
  const fields = Object.entries(sample).map(([name, value]) => [
    name,
    fc.oneof(fc.constant<unknown>(value), anyValue),
  ]);
  const states: fc.Arbitrary<unknown> = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  // As a faulty reducer returns them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return states as fc.Arbitrary<T>;
};

type Changes = Parameters<typeof applyChanges>[1];

/** Returns the state after changes as canonical JSON. */
function afterChanges(before: object, changes: readonly Changes[]): string {
  const start: unknown = JSON.parse(JSON.stringify(before));
  return canonicalJson(changes.reduce(applyChanges, Object(start)));
}

test('the changes of any two JSON values lead from the one to the other', () => {
  const states = fc.record({
    state: fc.oneof(anyValue, fc.dictionary(fc.string({ maxLength: 2 }), anyValue)),
  });
  checkProperty(
    fc.property(states, states, (before, after) => {
      const changes = recordedChanges(valueDiff(before, after));
      expect(afterChanges(before, [changes])).toBe(canonicalJson(after));
    }),
    1000,
  );
});

test('the changes of the connection lead from each of its states to the next one', () => {
  const connections = statesLike({ status: 'disconnected', closedBecause: null, retryAt: 1000 });
  checkProperty(
    fc.property(fc.array(connections, { minLength: 1, maxLength: 4 }), (states) => {
      const list: ConnectionChange[] = [];
      const watch = watchConnection(list);
      for (const [at, connection] of states.entries()) watch(at, { connection });
      const after = { connection: states.at(-1) };
      expect(afterChanges({ connection: {} }, connectionChanges(list))).toBe(canonicalJson(after));
    }),
  );
});

const anyActs: fc.Arbitrary<ActsState> = fc.record({
  connection: statesLike(initialActs.connection),
  wasConnected: fc.boolean(),
  backlog: statesLike(initialActs.backlog),
  audio: statesLike(initialActs.audio),
  preferences: statesLike(initialActs.preferences),
  attention: statesLike(initialActs.attention),
  windows: fc.dictionary(
    fc.constantFrom('1', '2', '17'),
    statesLike({ own: initialWindowState, isVisible: true, isFocused: true, isMinimized: false }),
  ),
});

/** Returns what the list of acts contains: the connection has a list of its own, and the steps have the number of unread messages. */
function watched({ connection: _connection, attention, ...acts }: ActsState) {
  const { unread: _unread, ...others } = attention;
  return { ...acts, attention: others };
}

test('the changes of the slices that follow from actions lead from each state to the next one', () => {
  checkProperty(
    fc.property(fc.array(anyActs, { minLength: 1, maxLength: 4 }), (states) => {
      const list: ActsChange[] = states.map((state, at) => ({
        at,
        ...recordedChanges(actsChanges(states[at - 1], state)),
      }));
      const after = watched(states.at(-1) ?? initialActs);
      expect(afterChanges(watched(initialActs), list)).toBe(canonicalJson(after));
    }),
  );
});

const anyTotals: fc.Arbitrary<Totals> = fc.record({
  counts: statesLike({ received: 1, sent: 1, dropped: 0, applied: 1, ignored: 0, rejected: { notJson: 2 } }),
  queue: statesLike({ length: 1, bytes: 20 }),
  unread: fc.nat(),
  title: fc.string(),
  words: fc.shuffledSubarray([...WORDS]),
  arrivals: fc.array(fc.option(fc.nat()), { maxLength: 70 }).map(vectorOf),
});

const shownTotals = ({ arrivals, ...others }: Totals) => ({ ...others, arrivals: toArray(arrivals) });

test('the changes of the counts, the queue, the unread messages and the arrivals lead from the one to the other', () => {
  checkProperty(
    fc.property(anyTotals, anyTotals, (before, after) => {
      const changes = recordedChanges(totalsDiff(before, after));
      expect(afterChanges(shownTotals(before), [changes])).toBe(canonicalJson(shownTotals(after)));
    }),
  );
});
