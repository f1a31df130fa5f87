import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#shared/time/systemClock.ts';
import { floodingPeer } from '#tests/builders/floodingPeer.ts';
import { openSocket } from './socket.ts';

test('reads one frame per turn of the event loop from a peer that floods it with small frames', async () => {
  let turn = 0;
  let isCounting = true;
  const countTurns = () => {
    turn++;
    if (isCounting) setImmediate(countTurns);
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
      frame: () => void framesIn.set(turn, (framesIn.get(turn) ?? 0) + 1),
    },
  });
  onTestFinished(() => {
    isCounting = false;
    socket.end(1000, '');
  });
  countTurns();
  await vi.waitFor(() => expect(framesIn.size).toBeGreaterThan(1000), { timeout: 12_000 });
  expect(Math.max(...framesIn.values())).toBeLessThanOrEqual(2);
}, 15_000);
