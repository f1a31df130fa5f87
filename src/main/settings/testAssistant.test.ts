import { virtualClock } from '#shared/clock.ts';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { BuiltInPlatform } from './builtInPlatform.ts';
import { testAssistant } from './setUpAssistant.ts';

const SETTINGS = { url: 'http://127.0.0.1:11434/v1', model: null, key: 'sk-of-ada', prompt: null };

/** Starts a test with a platform that answers like this. */
function start(answer: BuiltInPlatform['testAssistant']) {
  const clock = virtualClock();
  const cancel = new AbortController();
  const result = testAssistant(SETTINGS, {
    platform: { testAssistant: answer },
    clock,
    signal: cancel.signal,
  });
  return { clock, cancel, result };
}

/** Answers nothing until the test is aborted, then rejects. */
const stalls: BuiltInPlatform['testAssistant'] = async (_, signal) => {
  await once(signal, 'abort');
  throw new Error(SETTINGS.key);
};

test('answers with the model and the models, or with the sentence of the platform', async () => {
  const models = ['small', 'large'];
  expect(await start(async () => ({ ok: true, model: 'small', models })).result).toEqual({
    kind: 'tested',
    model: 'small',
    models,
  });
  expect(await start(async () => ({ ok: false, message: 'Wrong key.' })).result).toEqual({
    kind: 'failed',
    field: null,
    message: 'Wrong key.',
  });
});

test('gives up after 15 s, and not before', async () => {
  const { clock, result } = start(stalls);
  clock.advance(15_000);
  expect(await result).toEqual({
    kind: 'failed',
    field: null,
    message:
      'The server has not answered within 15 s. Check the address, or test again when the server is less busy.',
  });
  const answered = start(async (_, { aborted }) => {
    await Promise.resolve();
    return { ok: !aborted, model: 'm', models: [], message: '' };
  });
  answered.clock.advance(14_999);
  expect(await answered.result).toMatchObject({ kind: 'tested' });
});

test('ends when the person cancels it', async () => {
  const { cancel, result } = start(stalls);
  cancel.abort();
  expect(await result).toMatchObject({ kind: 'failed', message: 'The test was cancelled.' });
});

test('says that the platform did not answer, without its error', async () => {
  const { result } = start(async () => {
    throw new Error(SETTINGS.key);
  });
  expect(await result).toMatchObject({
    message: 'The built-in platform could not run the test. Try again.',
  });
});
