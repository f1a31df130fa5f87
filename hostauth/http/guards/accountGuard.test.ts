import Fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import type { AccountState, Helper } from '../../link/helperProtocol.ts';
import { fakeClock } from '../../testing/fakeHelper.ts';
import { sessionFields } from '../../testing/testApp.ts';
import { bearer, createAccountGuard } from './accountGuard.ts';
import { Sessions } from './sessions.ts';

/** A guard whose helper answers when the test resolves it, and one session that signed in at 0. */
async function scene() {
  const clock = fakeClock();
  const sessions = new Sessions({ limits: LIMITS, clock, audit: () => undefined });
  const created = await sessions.create(sessionFields('ada'));
  if (typeof created === 'string') throw new Error(created);
  const answers: ((answer: AccountState) => void)[] = [];
  const isAdministrator = vi.fn<Helper['isAdministrator']>();
  const helper = {
    checkAccount: () => new Promise<AccountState>((resolve) => answers.push(resolve)),
    isAdministrator,
  };
  const guard = createAccountGuard({ helper, sessions, clock });
  const app = Fastify();
  app.decorateRequest('session', null);
  app.get('/', { onRequest: [bearer(sessions), guard.recentAccount] }, (_request, reply) => reply.send('ok'));
  app.get('/admin', { onRequest: bearer(sessions) }, (request) => guard.isAdministrator(request));
  const get = async (url: string) => {
    const { statusCode, payload } = await app.inject({
      url,
      headers: { authorization: `Bearer ${created.token}` },
    });
    return [statusCode, payload];
  };
  return { clock, sessions, session: created, answers, isAdministrator, guard, get };
}

const LIMITS = { slots: 100, perUser: 100, idleMs: 900_000, maxMs: 900_000 };

test('20 requests of one session at once share one check', async () => {
  const { clock, answers, get } = await scene();
  clock.advance(3000);
  const requests = Array.from({ length: 20 }, () => get('/'));
  await vi.waitFor(() => expect(answers).not.toEqual([]), POLLING);
  await new Promise((resolve) => setImmediate(resolve));
  for (const answer of answers) answer({ state: 'same' });
  expect(new Set((await Promise.all(requests)).map(([status]) => status))).toEqual(new Set([200]));
  expect(answers).toHaveLength(1);
});

test('refuses a request whose session ended while its account was checked', async () => {
  const { clock, sessions, session, answers, get } = await scene();
  clock.advance(3000);
  const request = get('/');
  await vi.waitFor(() => expect(answers).toHaveLength(1), POLLING);
  sessions.endSession(session, { reason: 'administrator' });
  answers[0]?.({ state: 'same' });
  expect((await request)[0]).not.toBe(200);
});

test('refuses an administrator whose session ended while the groups were looked up', async () => {
  const { sessions, session, isAdministrator, get } = await scene();
  isAdministrator.mockImplementation(async () => {
    sessions.endSession(session, { reason: 'administrator' });
    return { state: 'administrator' };
  });
  expect((await get('/admin'))[0]).not.toBe(200);
});

test('starts no further sweep after it was stopped during one', async () => {
  const { clock, answers, guard } = await scene();
  const stop = guard.start();
  clock.advance(5000);
  await vi.waitFor(() => expect(answers).toHaveLength(1), POLLING);
  stop();
  answers[0]?.({ state: 'same' });
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(10_000);
  expect([answers.length, clock.waits]).toEqual([1, []]);
});

test('ends an unused session with its account while checks of other sessions have no answer', async () => {
  const clock = fakeClock();
  const sessions = new Sessions({ limits: LIMITS, clock, audit: () => undefined });
  for (let i = 0; i < 9; i++) await sessions.create(sessionFields(`slow${i}`));
  await sessions.create(sessionFields('ada'));
  const helper = {
    checkAccount: (account: string): Promise<AccountState> =>
      account === 'ada'
        ? Promise.resolve({ state: 'ended', reason: 'locked' })
        : new Promise(() => undefined),
    isAdministrator: () => Promise.reject(new Error('not expected')),
  };
  onTestFinished(createAccountGuard({ helper, sessions, clock }).start());
  clock.advance(5000);
  await vi.waitFor(() => expect(sessions.size).toBe(9), POLLING);
});
