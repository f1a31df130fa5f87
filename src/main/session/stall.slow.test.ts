import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/systemClock.ts';
import { floodingPeer } from '#tests/builders/floodingPeer.ts';
import { openSocket } from './socket.ts';

/** A real connection to a peer that answers pings, in a process whose event loop the test stalls. */
async function connected() {
  const told: string[] = [];
  const changed = new EventTarget();
  const tell = (what: string) => {
    told.push(what);
    changed.dispatchEvent(new Event(what));
  };
  const socket = openSocket({
    url: await floodingPeer(),
    clock: systemClock(globalThis),
    events: {
      opened: () => tell('opened'),
      confirmed: () => tell('confirmed'),
      closed: () => tell('closed'),
      tooLarge() {},
      frame() {},
    },
  });
  onTestFinished(() => socket.end(1000, ''));
  await once(changed, 'confirmed');
  return { socket, told, changed };
}

function stall(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test('keeps a healthy connection open over a stall of 12 s', async () => {
  const { told, changed } = await connected();
  stall(12_000);
  await once(changed, 'confirmed');
  await pause(2000);
  expect(told).not.toContain('closed');
});

test('keeps a healthy connection open over a stall during the check after a resume', async () => {
  const { socket, told } = await connected();
  socket.onResume();
  stall(3000);
  await pause(3000);
  expect(told).not.toContain('closed');
});
