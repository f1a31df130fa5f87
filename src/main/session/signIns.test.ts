import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { signInRefused, signedIn } from '#shared/actions/mainActions.ts';
import { markSource } from '../ipc/receiveActions.ts';
import { UNEXPECTED_ERROR } from '../base/handleUncaughtErrors.ts';
import { signInRequested } from '#shared/actions/userActions.ts';
import { FORM_DEBOUNCE_MS } from '#shared/limits.ts';
import { ADA, messengerAt } from '#tests/builders/messengerAt.ts';
import { platformForTest } from '#tests/builders/platformForTest.ts';

test('spec §4.1: makes no call within 2000 ms of one that failed, in whatever windows', async () => {
  const platform = await platformForTest();
  platform.auth.answer({ status: 401, body: 'Wrong password.' });
  const { messenger, clock } = await messengerAt(platform);
  await messenger.signIn(ADA);
  const second = messenger.signIn({ ...ADA, email: 'grace@example.org' });
  clock.advance(FORM_DEBOUNCE_MS - 1);
  await platform.roundTrip();
  expect(platform.auth.requests.all).toHaveLength(1);
  clock.advance(1);
  expect(await second).toBe('Wrong password.');
  expect(platform.auth.requests.all).toHaveLength(2);
});

test('signs in at once after a sign-out', async () => {
  const platform = await platformForTest();
  const { messenger } = await messengerAt(platform);
  await messenger.signIn(ADA);
  await messenger.signOut();
  expect(await messenger.signIn(ADA)).toBeUndefined();
});

/** Starts a sign-in that the platform answers later. */
async function startSignIn() {
  const platform = await platformForTest();
  const arrival = new EventEmitter();
  platform.auth.answer(once(arrival, 'answer').then(() => ({ body: 'account-1' })));
  const main = await messengerAt(platform);
  const codes: unknown[] = [];
  main.listeners.startListening({
    actionCreator: signInRefused,
    effect: ({ payload }) => void codes.push(payload.code),
  });
  const signIn = main.messenger.signIn(ADA);
  await platform.auth.requests.next();
  const answer = async () => {
    arrival.emit('answer');
    await platform.roundTrip();
  };
  return { ...main, platform, codes, signIn, answer };
}

describe('a sign-in in progress', () => {
  test('stores no account when the data is deleted meanwhile', async () => {
    const { messenger, path, notified, platform, codes, signIn, answer } = await startSignIn();
    await messenger.refuseSignInsDuring(answer);
    expect(await signIn).toBe('Unknown error occured.');
    expect({ account: messenger.account(), stored: existsSync(path), notified, codes }).toEqual({
      account: false,
      stored: false,
      notified: [],
      codes: ['cancelled'],
    });
    expect(platform.upgrades.all).toEqual([]);
  });

  test('is cancelled by a sign-out in another window, and another one can follow', async () => {
    const { messenger, platform, clock, codes, signIn, answer } = await startSignIn();
    await messenger.signOut();
    expect(await signIn).toBe('Unknown error occured.');
    await answer();
    expect([messenger.account(), codes]).toEqual([false, ['cancelled']]);
    clock.advance(FORM_DEBOUNCE_MS);
    platform.auth.answer({ body: 'account-2' });
    expect(await messenger.signIn(ADA)).toBeUndefined();
    expect(messenger.account()).toBe('account-2');
  });

  test('launches no session when the person signs out while the account is stored', async () => {
    const { messenger, listeners, notified, platform, codes, signIn, answer } = await startSignIn();
    const signedOut = new Promise<void>((resolve) =>
      listeners.startListening({ actionCreator: signedIn, effect: () => resolve(messenger.signOut()) }),
    );
    await answer();
    await signedOut;
    expect(await signIn).toBe('Unknown error occured.');
    expect([messenger.account(), notified, codes]).toEqual([false, [{ account: false }], ['cancelled']]);
    expect(platform.upgrades.all).toEqual([]);
  });
});

test('refuses sign-ins while the data is deleted', async () => {
  const platform = await platformForTest();
  const { messenger } = await messengerAt(platform);
  const result = await messenger.refuseSignInsDuring(() => messenger.signIn(ADA));
  expect([result, messenger.account(), platform.auth.requests.all]).toEqual([
    'Unknown error occured.',
    false,
    [],
  ]);
  expect(await messenger.signIn(ADA)).toBeUndefined();
});

test('dispatches that a sign-in failed when it rejects, and logs the error', async () => {
  const platform = await platformForTest();
  const main = await messengerAt(platform, {
    capture: {
      action() {},
      launched() {
        throw new RangeError('a secret');
      },
      record() {},
      pauseWhileFull() {},
      ended() {},
    },
  });
  const { store, listeners, kept, errorNotes } = main;
  const codes: unknown[] = [];
  listeners.startListening({
    actionCreator: signInRefused,
    effect: ({ payload }) => void codes.push(payload.code),
  });
  const answered = new Promise((answer) =>
    store.dispatch(markSource(signInRequested({ credentials: ADA, answer }), 1)),
  );
  await expect(answered).rejects.toThrow(RangeError);
  expect(codes).toEqual(['failed']);
  expect(errorNotes).toEqual([UNEXPECTED_ERROR]);
  expect(kept.text()).toContain('RangeError');
  expect(kept.text()).not.toContain('a secret');
});
