import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { CaptureRecord, KnownRecord } from '#shared/capture/captureFormat.ts';
import { runTool, temporaryFolder, wholeCapture, writeCapture } from '../testing/files.ts';

const SESSION: readonly KnownRecord[] = [
  { t: 1, type: 'open' },
  { t: 12.4, type: 'recv', data: '{"person":"Ada Lovelace","messages":[]}' },
  { t: 13, type: 'recv', data: 'AAEC', encoding: 'base64' },
  { t: 901.123, type: 'send', data: '{"category":"text","text":"hi","blob":null}' },
  { t: 5000, type: 'close', code: 1006, reason: '' },
  { t: 5500, type: 'open' },
  { t: 5501, type: 'recv', data: 'ünicode \u{1F600}' },
  { t: 6000, type: 'close', code: 1008, reason: 'unauthorized' },
];

/** The capture exported and imported again. */
async function roundTrip(records: readonly CaptureRecord[]) {
  const path = await temporaryFolder();
  const capture = await writeCapture(path('a.parley.jsonl'), records);
  const exported = await runTool('export', capture, '--to', 'har');
  await writeFile(path('a.har'), exported.out);
  expect(exported).toMatchObject({ status: 0, err: '' });
  const imported = await runTool('import', path('a.har'), '-o', path('b.parley.jsonl'));
  expect(imported).toMatchObject({ status: 0, err: '' });
  return { before: await wholeCapture(capture), after: await wholeCapture(path('b.parley.jsonl')), path };
}

test('contract §7 export: keeps the header, frames and times through export and import; opens and closes to the millisecond', async () => {
  const { before, after } = await roundTrip(SESSION);
  expect(after).toEqual(before);
});

test('exports the first connection of an app that has several, without its requests', async () => {
  const { before, after } = await roundTrip([
    ...SESSION.slice(0, 2),
    { t: 12.5, type: 'open', socket: 2 },
    { t: 12.6, type: 'recv', socket: 2, data: 'other' },
    { t: 12.7, type: 'http', id: 1, request: { method: 'GET', url: '/' } },
    ...SESSION.slice(2),
    { t: 7000, type: 'end' },
  ]);
  expect(before.records).toHaveLength(SESSION.length + 4);
  expect(after.records).toEqual(SESSION);
});

test('keeps the launch, from which ticks count, and so the hash and the time of each update', async () => {
  const { before, after, path } = await roundTrip([
    { t: 5230.125, type: 'launch' },
    ...SESSION.map((record) => ({ ...record, t: record.t + 5240 })),
  ]);
  expect(after).toEqual(before);
  const results = await Promise.all(
    ['a.parley.jsonl', 'b.parley.jsonl'].map(async (name) => {
      const { out } = await runTool('run', path(name), '--json', '--hash', '--with', 'state');
      const { hash, virtualMs, state } = z.looseObject({}).parse(JSON.parse(out));
      return { hash, virtualMs, state };
    }),
  );
  expect(results[0]).toEqual(results[1]);
});

test('contract §6 release: keeps late releases, each before what was received at its time', async () => {
  const { before, after } = await roundTrip([
    { t: 5230.125, type: 'launch' },
    { t: 5240, type: 'open' },
    { t: 5240, type: 'recv', data: '{"person":"Ada"}' },
    { t: 5580.125, type: 'release', update: 1, due: 100, tick: 300 },
    { t: 5580.125, type: 'recv', data: '{}' },
    { t: 6000.001, type: 'release', update: 2, due: 400, tick: 700 },
  ]);
  expect(after).toEqual(before);
});

/** What Chrome's importer reads and throws without. */
const chromeSchema = z.object({
  log: z.object({
    version: z.literal('1.2'),
    creator: z.object({ name: z.string(), version: z.string() }),
    entries: z.array(
      z.object({
        startedDateTime: z.iso.datetime(),
        time: z.number(),
        request: z.object({
          method: z.string(),
          url: z.url(),
          httpVersion: z.string(),
          headers: z.array(z.unknown()),
          queryString: z.array(z.unknown()),
          headersSize: z.number(),
          bodySize: z.number(),
        }),
        response: z.object({
          status: z.literal(101),
          statusText: z.string(),
          headers: z.array(z.unknown()),
          content: z.object({ size: z.number(), mimeType: z.string() }),
          redirectURL: z.string(),
          headersSize: z.number(),
          bodySize: z.number(),
        }),
        timings: z.object({ send: z.number(), wait: z.number(), receive: z.number() }),
        _resourceType: z.literal('websocket'),
        _webSocketMessages: z.array(
          z.object({
            type: z.enum(['send', 'receive', 'error']),
            time: z.number(),
            opcode: z.number(),
            data: z.string(),
          }),
        ),
      }),
    ),
  }),
});

test('writes an entry for each connection with every number that Chrome’s importer needs', async () => {
  const path = await temporaryFolder();
  const capture = await writeCapture(path('a.parley.jsonl'), SESSION);
  const { out } = await runTool('export', capture, '--to', 'har');
  const { entries } = chromeSchema.parse(JSON.parse(out)).log;
  expect(entries.map(({ _webSocketMessages }) => _webSocketMessages.map(({ type }) => type))).toEqual([
    ['receive', 'receive', 'send', 'error'],
    ['receive', 'receive'],
  ]);
  expect(entries[0]).toMatchObject({ startedDateTime: '2026-11-20T09:00:00.001Z', time: 4999 });
  expect(entries[0]?._webSocketMessages[0]).toMatchObject({ time: 1_795_165_200.0124, opcode: 1 });
});
