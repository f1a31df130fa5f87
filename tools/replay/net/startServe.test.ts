import { expect, it, onTestFinished, test } from 'vitest';
import type { CaptureRecord, KnownRecord } from '#shared/capture/captureFormat.ts';
import { virtualClock } from '#shared/clock.ts';
import { platformInbox } from '#tests/builders/platformInbox.ts';
import { connectClient } from '#tests/builders/connectClient.ts';
import { readScript, startServe } from './startServe.ts';

const open = (t: number): KnownRecord => ({ t, type: 'open' });
const recv = (t: number, data: string): KnownRecord => ({ t, type: 'recv', data });
const send = (t: number, data: string): KnownRecord => ({ t, type: 'send', data });
const close = (t: number, code: number, reason: string): KnownRecord => ({ t, type: 'close', code, reason });
const outgoing = (text: string) => JSON.stringify({ category: 'text', text, blob: null });

async function* batches(records: readonly CaptureRecord[]) {
  yield records;
}

/** These records, served on a clock that stands still. */
async function served(records: readonly CaptureRecord[], speed = 1) {
  const clock = virtualClock();
  const lines = platformInbox<string>();
  const connections = await readScript(batches(records));
  const serve = await startServe({ connections, clock, speed, port: 0, print: lines.push });
  onTestFinished(() => serve.stop());
  const enter = () => connectClient(`${serve.platformUrl}/any-account`);
  return { clock, lines, serve, enter };
}

it('answers a sign-in by an account with which a client can connect', async () => {
  const { serve } = await served([open(0), recv(0, 'hello')]);
  const body = '{"email":"a@b.c","password":"p","name":""}';
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${serve.apiUrl}/auth`, { method: 'POST', body, headers });
  expect(answer.status).toBe(200);
  const client = await connectClient(`${serve.platformUrl}/${await answer.text()}`);
  expect(await client.frames.next()).toBe('hello');
});

it('refuses the page of another site, also under another Host, and accepts a client’s page that a server on another port serves', async () => {
  const { serve } = await served([open(0)]);
  const headers = { origin: 'https://evil.example' };
  expect((await fetch(`${serve.apiUrl}/auth`, { method: 'POST', headers })).status).toBe(403);
  for (const refused of [headers, { host: 'evil.example' }, { host: '127.0.0.1:1' }])
    await expect(connectClient(`${serve.platformUrl}/a`, refused)).rejects.toThrow('403');
  await connectClient(`${serve.platformUrl}/a`, { origin: 'http://127.0.0.1:5173' });
});

it('contract §7 serve: sends each frame at its time since the connection’s opening', async () => {
  const { clock, enter } = await served([open(500), recv(512.5, 'a'), recv(600, 'b')]);
  clock.advance(10_000);
  const client = await enter();
  clock.advance(12);
  await client.roundTrip();
  expect(client.frames.all).toEqual([]);
  clock.advance(0.5);
  expect(await client.frames.next()).toBe('a');
  clock.advance(87);
  await client.roundTrip();
  expect(client.frames.all).toEqual(['a']);
  clock.advance(0.5);
  expect(await client.frames.next()).toBe('b');
});

it('sends all frames at once and completely with --speed max', async () => {
  const frames = Array.from({ length: 30 }, (_, i) => `${i}`.padEnd(100_000, 'x'));
  const { enter } = await served([open(0), ...frames.map((data, i) => recv(i * 1000, data))], Infinity);
  const client = await enter();
  for (const frame of frames) expect((await client.frames.next()) === frame).toBe(true);
});

it('waits where the client spoke first for its frame, then keeps the recorded delay', async () => {
  const sent = outgoing('hi');
  const { clock, enter, lines } = await served([open(0), recv(0, 'a'), send(1000, sent), recv(1200, 'b')]);
  const client = await enter();
  await client.frames.next();
  clock.advance(60_000);
  await client.roundTrip();
  await client.send(sent);
  clock.advance(199);
  await client.roundTrip();
  expect(client.frames.all).toEqual(['a']);
  clock.advance(1);
  expect(await client.frames.next()).toBe('b');
  expect(lines.all.join()).toContain(`waits for the client, which sent ${sent}`);
});

it('closes with the recorded code at its time, or breaks the connection, and continues with the next one', async () => {
  const first = [open(0), recv(0, 'a'), close(100, 1008, 'unauthorized'), close(300, 1006, '')];
  const second = [open(5000), recv(5010, 'b'), close(5100, 1006, '')];
  const { clock, enter, serve } = await served([...first, ...second]);
  const client = await enter();
  clock.advance(99);
  await client.roundTrip();
  clock.advance(1);
  expect(await client.closed).toEqual({ code: 1008, reason: 'unauthorized' });
  const next = await enter();
  clock.advance(10);
  expect(await next.frames.next()).toBe('b');
  expect(serve.report().connections).toEqual({ recorded: 2, played: 1 });
  clock.advance(90);
  expect(await next.closed).toEqual({ code: 1006, reason: '' });
});

const session = [open(0), ...['one', 'two', 'three'].map((text) => send(0, outgoing(text)))];

it('reports no difference for recorded frames of the client, also with their fields in another order', async () => {
  const { enter, serve } = await served(session);
  const client = await enter();
  await client.send('{"text":"one","blob":null,"category":"text"}');
  for (const text of ['two', 'three']) await client.send(outgoing(text));
  const counts = { recorded: 3, received: 3, same: 3, different: 0, extra: 0, missing: 0 };
  expect(serve.report().frames).toEqual({ ...counts, divergences: [] });
});

it('reports different, additional and missing frames of the client as they occur, and in the report', async () => {
  const { enter, serve, lines } = await served([...session.slice(0, 3), close(0, 1001, '')]);
  const client = await enter();
  await client.send(outgoing('one'));
  expect(serve.report().frames).toMatchObject({ same: 1, missing: 1, divergences: [] });
  client.socket.send('{"category":"audio","text":"two"}');
  client.socket.send(outgoing('three'));
  await client.closed;
  expect(lines.all).toContain(
    'frame 2 of the client differs: category: recorded "text", got "audio"; blob: recorded null, got nothing',
  );
  expect(lines.all).toContain('frame 3 of the client is additional');
  const counts = { recorded: 2, received: 3, same: 1, different: 1, extra: 1, missing: 0 };
  const fields = [
    { field: 'category', recorded: '"text"', got: '"audio"' },
    { field: 'blob', recorded: 'null', got: undefined },
  ];
  const divergences = [
    { kind: 'different', frame: 2, fields },
    { kind: 'extra', frame: 3 },
  ];
  expect(serve.report().frames).toEqual({ ...counts, divergences });
});

test('plays the frames of the first connection only, without requests', async () => {
  const script = await readScript(
    batches([
      open(0),
      { t: 1, type: 'open', socket: 2 },
      { t: 1, type: 'http', id: 1, end: true },
      recv(2, 'hello'),
      { t: 3, type: 'recv', socket: 2, data: 'other' },
      { t: 4, type: 'end' },
    ]),
  );
  expect(script).toEqual([{ openedAt: 0, steps: [recv(2, 'hello')] }]);
});
