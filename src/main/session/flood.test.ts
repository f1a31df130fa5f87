import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { systemClock } from '#shared/time/systemClock.ts';
import { floodingPeer } from '#tests/builders/floodingPeer.ts';
import { openSocket } from './socket.ts';

test('a peer that floods with small frames, delays nothing else by more than 200 ms', async () => {
  const received = { frames: 0 };
  const socket = openSocket({
    url: await floodingPeer('[]'),
    clock: systemClock(globalThis),
    events: {
      opened() {},
      confirmed() {},
      closed() {},
      tooLarge() {},
      frame(text) {
        received.frames++;
        decodeUpdate(text);
      },
    },
  });
  onTestFinished(() => socket.end(1000, ''));
  while (received.frames === 0) await pause(1);
  let longest = 0;
  for (let turns = 0; turns < 30; turns++) {
    const before = performance.now();
    await pause(10);
    longest = Math.max(longest, performance.now() - before - 10);
  }
  expect(received.frames).toBeGreaterThan(1000);
  expect(longest).toBeLessThan(200);
});
