import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alertDismissed } from '#shared/actions/windowActions.ts';
import { type ReplayCode, appCode } from '#shared/replay/code.ts';
import { describeCaptures } from '#replay/vitest.ts';
import { verifyParley } from '#replay/verify/testing/verifyParley.ts';

const CORPUS = join(import.meta.dirname, 'captures');

// In watch mode, a changed capture runs these tests again.
import.meta.glob('./captures/**/*.{jsonl,gz}', { eager: true, query: '?url' });

describeCaptures(CORPUS, { name: 'the corpus' });

/** Verifies two captures with other code; resolves with the differences. */
async function differencesUnder(code: ReplayCode) {
  const paths = ['two-windows', 'unknown-fields'].map((name) => join(CORPUS, `${name}.parley.jsonl`));
  const results = await Promise.all(paths.map((path) => verifyParley(path, { code })));
  return results.flatMap(({ difference }) => difference ?? []);
}

/** Applies each message twice. */
const twice: ReplayCode = {
  ...appCode,
  applyUpdate: (conversation, update) => {
    const once = appCode.applyUpdate(conversation, update);
    return update.kind === 'message' ? appCode.applyUpdate(once, update) : once;
  },
};

/** Reduces acts, but keeps an alert that a person dismisses. */
const keepAlerts: ReplayCode['reduceActs'] = (state, action) => {
  const acts = appCode.reduceActs(state, action);
  const windows = alertDismissed.match(action) ? state?.windows : undefined;
  return windows === undefined ? acts : { ...acts, windows };
};

// `verifyCapture.test.ts` has the other differences.
test('verify names the update, or the window, the path and the time, when a reducer differs from the one of the corpus', async () => {
  expect((await differencesUnder(twice)).map(({ update }) => update?.kind)).toContain('message');
  const ends = (await differencesUnder({ ...appCode, reduceActs: keepAlerts })).map(({ end }) => end);
  expect(ends).toContainEqual([{ path: 'windows[2].own.alerts.waiting.length at 9600 ms', expected: 0 }]);
});
