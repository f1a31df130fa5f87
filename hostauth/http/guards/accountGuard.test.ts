import { expect, onTestFinished, test, vi } from 'vitest';
import type { AccountState } from '../../helper/helperProtocol.ts';
import { fakeClock } from '../../testing/fakeClock.ts';
import { sessionFields } from '../../testing/sessionFields.ts';
import { Sessions } from '../sessions.ts';
import { createAccountGuard } from './accountGuard.ts';

test('an unused session ends with its account while the checks of others have no answer', async () => {
  const clock = fakeClock();
  const limits = { slots: 100, perUser: 100, idleMs: 900_000, maxMs: 900_000 };
  const sessions = new Sessions({ limits, clock, audit: () => undefined });
  for (let i = 0; i < 9; i++) await sessions.create(sessionFields(`slow${i}`));
  await sessions.create(sessionFields('ada'));
  const helper = {
    checkAccount: (account: string): Promise<AccountState> =>
      account === 'ada'
        ? Promise.resolve({ state: 'ended', reason: 'locked' })
        : new Promise(() => undefined),
    isAdministrator: () => Promise.reject(new Error('nobody asks')),
  };
  onTestFinished(createAccountGuard({ helper, sessions, clock }).start());
  clock.advance(5000);
  await vi.waitFor(() => expect(sessions.size).toBe(9));
});
