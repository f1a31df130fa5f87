import { expect, test } from 'vitest';
import * as limits from './limits.ts';

test.each([
  ['text length', limits.TEXT_LENGTH, 250],
  ['file size', limits.FILE_BYTES, 1_000_000],
  ['ping interval', limits.PING_INTERVAL_MS, 1000],
  ['reconnect delay', limits.RECONNECT_DELAY_MS, 500],
  ['queue tick', limits.QUEUE_TICK_MS, 100],
  ['form debounce', limits.FORM_DEBOUNCE_MS, 2000],
  ['recording length', limits.RECORDING_MS, 15_000],
  ['playback end detection', limits.PLAYBACK_IDLE_MS, 500],
  ['password', limits.PASSWORD_LENGTH, { min: 6, max: 16 }],
  ['name', limits.NAME_LENGTH, { min: 5, max: 30 }],
])('spec §8 recording length, playback end: %s has the value of the specification', (_, value, expected) => {
  expect(value).toEqual(expected);
});

test('contract §3 and §5: the contract’s additional limits have its values', () => {
  expect([limits.PEER_SILENCE_MS, limits.MESSAGES_IN_DOCUMENT]).toEqual([10_000, 200]);
});

test('a frame of the maximum size holds 200 files of the permitted size and fits in a V8 string', () => {
  expect(limits.FRAME_BYTES).toBeGreaterThan((200 * limits.FILE_BYTES * 4) / 3);
  expect(limits.FRAME_BYTES).toBeLessThan(0x1fffffe8);
});
