import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { floodingPeer } from '#tests/builders/floodingPeer.ts';
import { openSocket } from './platformSocket.ts';

/** A real connection to a peer that answers pings, in a process whose event loop the test stalls. */
async function connected() {
  const events: string[] = [];
  const changed = new EventTarget();
  const record = (what: string) => {
    events.push(what);
    changed.dispatchEvent(new Event(what));
  };
  const socket = openSocket({
    url: await floodingPeer(),
    clock: systemClock(globalThis),
    events: {
      opened: () => record('opened'),
      confirmed: () => record('confirmed'),
      closed: () => record('closed'),
      tooLarge() {},
      frame() {},
    },
  });
  onTestFinished(() => socket.end(1000, ''));
  await once(changed, 'confirmed');
  return { socket, events, changed };
}

function stall(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test('keeps a healthy connection open over a stall of 12 s', async () => {
  const { events, changed } = await connected();
  stall(12_000);
  await once(changed, 'confirmed');
  await pause(2000);
  expect(events).not.toContain('closed');
});

test('keeps a healthy connection open over a stall during the check after a resume', async () => {
  const { socket, events } = await connected();
  socket.onResume();
  stall(3000);
  await pause(3000);
  expect(events).not.toContain('closed');
});
