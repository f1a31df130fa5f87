import { parleyApp } from '../parley/parleyApp.ts';
import { expect, test, vi } from 'vitest';
import { FOLD, compareSessions } from '#tests/builders/compareSessions.ts';
import { all } from '../testing/files.ts';
import { compareCaptures } from './compareCaptures.ts';

const ADDED = 'withContext(message, context)';

/** Whether the reducers of the working tree have a fault. */
const fault = vi.hoisted(() => ({ isOn: false }));

vi.mock(import('#shared/conversation/applyUpdate.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    applyUpdate: (conversation, update) => {
      // Also for messages that are in no capture.
      if (fault.isOn && (update.kind === 'context' || (update.kind === 'message' && !('id' in update.frame))))
        throw new RangeError('ours');
      return original.applyUpdate(conversation, update);
    },
  };
});

const UPDATE = { number: 3, kind: 'context', effect: 'applied' };

test.each([
  [
    'the working tree',
    { ours: true, theirs: false },
    // The queue ignores an update whose reducer throws.
    {
      update: { ...UPDATE, effect: 'ignored' },
      state: [{ path: 'update.effect', expected: 'applied', got: 'ignored' }, {}, {}, {}],
      end: [{ path: 'error', got: 'RangeError: ours' }],
    },
  ],
  [
    'the other revision',
    { ours: false, theirs: true },
    {
      update: UPDATE,
      state: [{ path: 'update', got: 'context, applied' }],
      end: [{ path: 'error', expected: 'RangeError: theirs' }],
      thrown: { name: 'RangeError', isOfBase: true },
    },
  ],
  [
    'both',
    { ours: true, theirs: true },
    { end: [{ path: 'error', expected: 'RangeError: theirs', got: 'RangeError: ours' }] },
  ],
])(
  'reports each session in which the code of %s throws, and the others as they are',
  { timeout: 30_000 },
  async (_, { ours, theirs }, difference) => {
    const { folder, commit, edit, captures } = await compareSessions();
    if (theirs) await edit(FOLD, ADDED, `(() => { throw new RangeError('theirs'); })()`);
    const base = await commit();
    fault.isOn = ours;
    const results = await all(compareCaptures(captures, { own: parleyApp, base, repository: folder }));
    fault.isOn = false;
    expect(results).toMatchObject([{ outcome: 'differs', difference }, { outcome: 'same' }]);
  },
);

test(
  'reports the sessions of a revision whose reducer throws for every message',
  { timeout: 30_000 },
  async () => {
    const { folder, commit, edit, captures } = await compareSessions();
    await edit(FOLD, "case 'message':", "case 'message': throw new RangeError('theirs');");
    await edit(FOLD, "case 'content':", "case 'content': throw new RangeError('theirs');");
    const base = await commit();
    const results = await all(compareCaptures(captures, { own: parleyApp, base, repository: folder }));
    expect(results.map(({ outcome }) => outcome)).toEqual(['differs', 'differs']);
  },
);
