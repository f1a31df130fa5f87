import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { EMAIL_ERROR, FORM_HINT, UNKNOWN_ERROR } from '#shared/protocol/credentials.ts';
import { virtualClock } from '#shared/clock.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { createSignInForm } from './createSignInForm.ts';

const VALID = { email: 'ada@example.org', password: 'secret1!', name: '' };

function start() {
  const clock = virtualClock();
  const requests: unknown[] = [];
  const answers = new EventEmitter();
  const store = createWindowStateStore();
  const form = createSignInForm({
    clock,
    store,
    async signIn(credentials) {
      requests.push(credentials);
      const [error]: (string | undefined)[] = await once(answers, 'answer');
      return error;
    },
  });
  const shown = () => {
    const { error, isBusy } = store.getState().own.signInForm;
    return { line: error ?? FORM_HINT, isError: error !== null, isBusy };
  };
  const line = () => shown().line;
  /** Answers the request, with a failure when it is an error, and runs what waits for the answer. */
  const answer = async (given: string | Error | undefined) => {
    answers.emit(given instanceof Error ? 'error' : 'answer', given);
    await setImmediate();
  };
  return { clock, requests, form, store, shown, line, answer };
}

it('spec §4.1, §8 form debounce: sends one request when it is valid for 2000 ms after the last input, and not before', () => {
  const { clock, requests, form, shown } = start();
  expect(shown()).toEqual({ line: FORM_HINT, isError: false, isBusy: false });
  form.edit({ ...VALID, name: 'Grace Hopper' });
  clock.advance(1999);
  form.edit(VALID);
  clock.advance(1999);
  expect(requests).toHaveLength(0);
  clock.advance(1);
  expect(requests).toEqual([VALID]);
  clock.advance(60_000);
  expect(requests).toHaveLength(1);
});

it('spec §7 row 8: shows the first error when it is not valid for 2000 ms, and the hint as soon as an input makes it valid', () => {
  const { clock, requests, form, line } = start();
  form.edit({ ...VALID, email: 'ada', password: 'x' });
  clock.advance(1999);
  expect(line()).toBe(FORM_HINT);
  clock.advance(1);
  expect(line()).toBe(EMAIL_ERROR);
  form.edit({ ...VALID, email: 'ada@' });
  expect([line(), requests]).toEqual([EMAIL_ERROR, []]);
  form.edit(VALID);
  expect(line()).toBe(FORM_HINT);
});

it('contract §3 errors: Enter shows the error of an empty form at once, and of an edited form, which is not busy, 2000 ms after the last input', () => {
  const { clock, requests, form, line, shown } = start();
  form.submit();
  expect(line()).toBe(EMAIL_ERROR);
  form.edit(VALID);
  form.submit();
  expect(shown().isBusy).toBe(true);
  form.edit({ ...VALID, email: 'ada' });
  expect(shown()).toEqual({ line: FORM_HINT, isError: false, isBusy: false });
  form.submit();
  clock.advance(1999);
  expect(line()).toBe(FORM_HINT);
  clock.advance(1);
  expect([line(), requests]).toEqual([EMAIL_ERROR, []]);
});

it('contract §3 one request: Enter sends one request 2000 ms after the last input, and shows at once that it is on its way; the password is in no action', () => {
  const { clock, requests, form, store, shown } = start();
  for (const field of Object.entries(VALID)) form.edit(Object.fromEntries([field]));
  clock.advance(34);
  for (let count = 0; count < 8; count++) form.submit();
  expect(shown()).toEqual({ line: FORM_HINT, isError: false, isBusy: true });
  clock.advance(1965);
  expect(requests).toHaveLength(0);
  clock.advance(1);
  expect(requests).toEqual([VALID]);
  const types = ['edited', 'edited', 'edited', 'submitted'].map((type) => `signInForm/${type}`);
  expect(store.dispatched.map(({ type }) => type)).toEqual(types);
  expect(store.getState().own.signInForm).toMatchObject({ email: VALID.email, name: '' });
  expect(JSON.stringify(store.dispatched)).not.toContain(VALID.password);
});

function submitted() {
  const started = start();
  started.form.edit(VALID);
  started.clock.advance(2000);
  return started;
}

it.each([
  ['exactly the error text of the answer', 'Wrong password, sorry.', 'Wrong password, sorry.'],
  ['the beginning of an error text of a megabyte', 'no '.repeat(350_000), `${'no '.repeat(166)}no…`],
  ['the unknown error for an empty text', '', UNKNOWN_ERROR],
  ['the unknown error when the request fails', new Error('gone'), UNKNOWN_ERROR],
])('shows %s, and sends nothing more', async (_, given, expected) => {
  const { clock, requests, shown, answer } = submitted();
  expect(shown().isBusy).toBe(true);
  await answer(given);
  expect(shown()).toEqual({ line: expected, isError: true, isBusy: false });
  clock.advance(60_000);
  expect(requests).toHaveLength(1);
});

it('contract §3 one request: sends refused credentials again on Enter, 2000 ms after the last request', async () => {
  const { clock, requests, form, line, answer } = submitted();
  await answer('No.');
  form.submit();
  expect(line()).toBe(FORM_HINT);
  clock.advance(1999);
  form.submit();
  expect(requests).toHaveLength(1);
  clock.advance(1);
  expect(requests).toHaveLength(2);
});

it('sends an input during a request 2000 ms after the answer, unless it succeeds, and never two requests at once', async () => {
  const { clock, requests, form, shown, answer } = submitted();
  form.edit({ ...VALID, password: 'better2@' });
  form.submit();
  clock.advance(10_000);
  expect(requests).toHaveLength(1);
  await answer('No.');
  clock.advance(1999);
  expect(requests).toHaveLength(1);
  clock.advance(1);
  expect(requests.at(-1)).toEqual({ ...VALID, password: 'better2@' });
  form.edit({ ...VALID, password: 'best3#' });
  await answer(undefined);
  clock.advance(10_000);
  expect([requests.length, shown().isBusy]).toEqual([2, false]);
});

it('does not check after a reset, and ignores a late answer', async () => {
  const { clock, requests, form, line, answer } = submitted();
  form.reset();
  await answer('No.');
  expect(line()).toBe(FORM_HINT);
  clock.advance(10_000);
  expect(requests).toHaveLength(1);
});
