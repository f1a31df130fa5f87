import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { settled } from '../accounts/testing/answeringConversation.ts';
import { EndpointError, type EndpointErrorKind } from '../endpoint/endpoint.ts';
import { type Wait, createRetries } from './retryLater.ts';

const failure = (kind: EndpointErrorKind, retryAfterS?: number) =>
  new EndpointError(kind, 'A sentence.', retryAfterS);

function retries() {
  const clock = virtualClock();
  const stop = new AbortController();
  const shown: Wait[] = [];
  const retry = createRetries({ clock, signal: stop.signal, show: (waiting) => void shown.push(waiting) });
  /** Waits as long as the retry does; resolves with its result. */
  const wait = async (error: unknown) => {
    const result = retry(error);
    for (let s = 0; s < 60; s++) {
      await settled();
      clock.advance(1000);
    }
    return result;
  };
  return { clock, stop, shown, retry, wait };
}

test.each(['rateLimited', 'failed', 'loading'] as const)('counts the seconds down after %s', async (kind) => {
  const { wait, shown } = retries();
  expect(await wait(failure(kind, 2))).toBe(true);
  expect(shown).toEqual([2, 1, 0].map((leftS) => ({ kind, leftS })));
});

test.each([
  ['a server that does not say when', failure('rateLimited')],
  ['a wait of more than a minute', failure('rateLimited', 61)],
  ['another error', new Error('secret')],
])('does not wait after %s', async (_, error) => {
  const { wait, shown } = retries();
  expect(await wait(error)).toBe(false);
  expect(shown).toEqual([]);
});

test.each([
  ['rateLimited', 5],
  ['failed', 5],
  ['loading', 120],
] as const)('waits after %s at most %i times, at least a second each time', async (kind, most) => {
  const { retry, clock } = retries();
  for (let count = 0; count < most; count++) {
    const result = retry(failure(kind, 0));
    clock.advance(999);
    expect(clock.nextDue()).toBe((count + 1) * 1000);
    clock.advance(1);
    expect(await result).toBe(true);
  }
  expect(await retry(failure(kind, 0))).toBe(false);
});

test('the signal ends the wait and leaves no timer', async () => {
  const { retry, stop, clock } = retries();
  const result = retry(failure('rateLimited', 60));
  stop.abort(new Error('stopped'));
  await expect(result).rejects.toThrow('stopped');
  expect(clock.nextDue()).toBeUndefined();
});
