import { expect, test } from 'vitest';
import { explainMicrophoneError } from './explainMicrophoneError.ts';
import { DENIED, MICROPHONE_BUSY, NEEDS_RELOAD, NO_MICROPHONE } from './audioTexts.ts';

test.each([
  ['NotAllowedError', true, DENIED],
  ['NotAllowedError', false, NEEDS_RELOAD],
  ['NotFoundError', true, NO_MICROPHONE],
  ['NotReadableError', true, MICROPHONE_BUSY],
  ['AbortError', true, MICROPHONE_BUSY],
])('returns the message for %s (the page may ask: %s)', (name, mayAsk, text) => {
  expect(explainMicrophoneError(new DOMException('why', name), mayAsk)).toBe(text);
});

test('returns the message of a busy microphone for any other error', () => {
  expect(explainMicrophoneError(new Error('why'), true)).toBe(MICROPHONE_BUSY);
});
