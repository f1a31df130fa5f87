import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { floodingPeer } from '#tests/builders/floodingPeer.ts';
import { openSocket } from './platformSocket.ts';

test('reads one frame per iteration of the event loop from a peer that floods it with small frames', async () => {
  let iteration = 0;
  let isCounting = true;
  const countIterations = () => {
    iteration++;
    if (isCounting) setImmediate(countIterations);
  };
  const framesIn = new Map<number, number>();
  const socket = openSocket({
    url: await floodingPeer('[]'),
    clock: systemClock(globalThis),
    events: {
      opened() {},
      confirmed() {},
      closed() {},
      tooLarge() {},
      frame: () => void framesIn.set(iteration, (framesIn.get(iteration) ?? 0) + 1),
    },
  });
  onTestFinished(() => {
    isCounting = false;
    socket.end(1000, '');
  });
  countIterations();
  await vi.waitFor(() => expect(framesIn.size).toBeGreaterThan(1000), { timeout: 50_000 });
  expect(Math.max(...framesIn.values())).toBeLessThanOrEqual(2);
});
