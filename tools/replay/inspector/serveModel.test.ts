import { recv } from '#tests/builders/recv.ts';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type CounterAdapter, counterAdapter } from '../testing/counterAdapter.ts';
import { adapterApp } from './model/apps/adapter.ts';
import { parleyApp } from './model/apps/parley.ts';
import { captureText } from './model/testing/captureText.ts';
import { type InspectedApp, SessionError } from './model/trace/app.ts';
import type { Params, Reply, Request, RequestName, SessionInfo, Target } from './protocol/protocol.ts';
import { readSource } from './readSource.ts';
import { serveModel } from './serveModel.ts';

type Answer = Extract<Reply, { id: number }>;

/** Creates the model of a worker; its clock ends the time slice at each check, so each pause lets messages in. */
function served(app: () => InspectedApp = () => parleyApp) {
  const answers = new Map<number, (reply: Answer) => void>();
  const order: string[] = [];
  const names: string[] = [];
  const searching: (number | undefined)[] = [];
  let now = 0;
  const answer = serveModel({
    send: (sent) => {
      // As a message to the page.
      const reply = structuredClone(sent);
      if ('searching' in reply) searching.push(reply.searching);
      if (!('id' in reply)) return;
      order.push(names[reply.id] ?? '');
      answers.get(reply.id)?.(reply);
    },
    app,
    now: () => (now += 1000),
    yieldToMessages: () => new Promise((resolve) => void setImmediate(resolve)),
    read: (source, { loader }) => readSource(source, { loader, onRead: () => undefined }),
  });
  const ask = <N extends RequestName>(name: N, params: Params<N>) => {
    const id = names.push(name) - 1;
    return new Promise<Answer>((resolve) => {
      answers.set(id, resolve);
      // The name and its params belong together; a pair of generic values cannot express that.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      answer({ id, name, params } as Request);
    });
  };
  return { ask, order, searching };
}

const textOf = (result: unknown) => JSON.stringify({ result }).slice(0, 30);

const LONG = captureText(Array.from({ length: 3000 }, (_, i) => recv(i * 100, { name: `name ${i}` })));
const text = (content: string) => ({ source: { kind: 'text', text: content, name: 'x' } }) as const;
const file = (bytes: Uint8Array<ArrayBuffer>) =>
  ({ source: { kind: 'file', file: new Blob([bytes]), name: 'x.gz' } }) as const;

test('answers a view of an app that is not plain data with its failure, and the next requests', async () => {
  const adapter: CounterAdapter = {
    ...counterAdapter,
    display: ({ totals }) => Object.assign({ text: [] }, 'a' in totals && { see: () => 1 }),
  };
  const { ask } = served(() => adapterApp(adapter));
  const capture = captureText([{ t: 0, type: 'recv', data: 'a 1' }]);
  await ask('load', file(new TextEncoder().encode(capture)));
  expect(await ask('view', { step: 2 })).toMatchObject({
    id: 1,
    result: { app: { failure: expect.stringContaining('display.see is a function') } },
  });
  expect(await ask('view', { step: 0 })).toMatchObject({ result: { app: { display: { text: [] } } } });
});

test('answers a load with the exception of an adapter that cannot be loaded', async () => {
  const { ask } = served(() => {
    throw new SessionError('The adapter threw');
  });
  expect(await ask('load', text(LONG))).toEqual({ id: 0, error: 'The adapter threw' });
});

test('answers a view before a long filter that is in progress', async () => {
  const { ask, order } = served();
  await ask('load', text(LONG));
  const filtered = ask('filter', { filter: { text: 'name 2999' } });
  await ask('view', { step: 10 });
  expect(await filtered).toMatchObject({ result: { count: 2 } });
  expect(order).toEqual(['load', 'view', 'filter']);
});

test('says when it computes a part of a search and when it pauses, also after an error, and not for a filter', async () => {
  const { ask, searching } = served();
  const FEW = captureText([recv(0, { name: 'a' }), recv(100, { name: 'b' })]);
  await ask('load', text(FEW));
  await ask('filter', { filter: { text: 'name' } });
  expect(searching).toEqual([]);
  const find = (target: Target) => ask('find', { from: 0, direction: 'forward', target });
  expect(await find({ kind: 'frame', text: '/"b"/' })).toMatchObject({ result: 3 });
  expect(searching).toEqual([2, undefined, 2, undefined, 2, undefined]);
  await find({ kind: 'frame', text: '/(/' });
  expect(searching.slice(6)).toEqual([3, undefined]);
});

test('answers a filter that a newer one replaces with `superseded`', async () => {
  const { ask } = served();
  await ask('load', text(LONG));
  const older = ask('filter', { filter: { text: 'a' } });
  const newer = ask('filter', { filter: { text: 'name 7' } });
  expect(await older).toMatchObject({ superseded: true });
  expect(await newer).toMatchObject({ result: { count: 222 } });
});

test('answers requests that arrive during a load after the load', async () => {
  const { ask } = served();
  const loaded = ask('load', text(LONG));
  expect(await ask('stepAt', { t: 1e9 })).toMatchObject({ result: 6000 });
  expect(await loaded).toMatchObject({ result: { updates: 3000 } });
});

test('answers requests about steps with the part that has been read, and others after the load', async () => {
  const [first, rest] = [LONG.slice(0, LONG.length / 2), LONG.slice(LONG.length / 2)].map((part) =>
    new TextEncoder().encode(part),
  );
  const parts: (SessionInfo | undefined)[] = [];
  const order: string[] = [];
  let now = 0;
  let continueRead: (() => void) | undefined;
  const answer = serveModel({
    app: () => parleyApp,
    send(reply) {
      if ('progress' in reply) parts.push(reply.progress.info);
      else if ('id' in reply)
        order.push(`${reply.id}: ${'result' in reply ? textOf(reply.result) : reply.error}`);
    },
    now: () => now,
    yieldToMessages: () => Promise.resolve(),
    async read(_, { loader, onRead }) {
      onRead(0, LONG.length);
      loader.take(first ?? new Uint8Array());
      // After 0.1 s, it is too early to show a part.
      for (now of [100, 300]) onRead(first?.length ?? 0, LONG.length);
      await new Promise<void>((resolve) => (continueRead = resolve));
      loader.take(rest ?? new Uint8Array());
    },
  });
  const ask = (request: Request) => answer(request);
  ask({ id: 1, name: 'load', params: { source: { kind: 'url', url: 'x', name: 'x', headers: {} } } });
  ask({ id: 2, name: 'nextError', params: { from: 0, direction: 'forward' } });
  ask({ id: 3, name: 'filter', params: { filter: {} } });
  await expect.poll(() => order.length).toBe(1);
  const { steps } = parts.at(-1) ?? {};
  expect(order).toEqual([`3: ${textOf({ count: steps, steps })}`]);
  expect(parts.map((part) => part?.updates)).toEqual([undefined, undefined, 1516]);
  continueRead?.();
  await expect.poll(() => order.length).toBe(3);
  ask({ id: 4, name: 'rowOf', params: { step: 5000 } });
  await expect.poll(() => order.at(-1)).toBe(`4: {"result":${(parts.at(-1)?.steps ?? 0) - 1}}`);
  ask({ id: 5, name: 'stepAt', params: { t: 1e9 } });
  await expect.poll(() => order.at(-1)).toBe('5: {"result":6000}');
  // An edited branch belongs to the same session as the requests about its steps.
  ask({ id: 6, name: 'edit', params: { edits: [] } });
  await expect.poll(() => order.length).toBe(6);
  ask({ id: 7, name: 'stepAt', params: { branch: 'edited', t: 1e9 } });
  await expect.poll(() => order.at(-1)).toBe('7: {"result":6000}');
});

test('answers with an error before a session is loaded', async () => {
  expect(await served().ask('save', {})).toMatchObject({ error: 'Nothing has been loaded yet.' });
});

describe('a gzipped file', () => {
  const zipped = new Uint8Array(gzipSync(LONG));

  test('is read when it is complete', async () => {
    expect(await served().ask('load', file(zipped))).toMatchObject({
      result: { updates: 3000, warnings: [] },
    });
  });

  test('is read up to a missing end, with a warning', async () => {
    const reply = await served().ask('load', file(zipped.slice(0, zipped.length - 2000)));
    expect(reply).toMatchObject({
      result: {
        warnings: ['x.gz: the gzip file ends too early; all before its end is used', expect.any(String)],
      },
    });
  });

  test('fails with an error when it is damaged', async () => {
    const broken = zipped.slice();
    broken.fill(0xff, 2, 20);
    expect(await served().ask('load', file(broken))).toMatchObject({
      error: expect.stringMatching(/^x\.gz: cannot be read: /),
    });
  });
});

test.each([
  ['x.har', '{\n  "log": { "version": "1.2" } }', /^This is a HAR.* open x\.har, .* import x\.har /],
  ['x.har.gz', gzipSync('{"log":{}}'), /^This is a HAR/],
  ['my chat [2].har', '{"log":{}}', / open 'my chat \[2\]\.har', .* import 'my chat \[2\]\.har' and /],
  ['x.json', '{"log":{}}', / Rename it to x\.json\.har\. Open it with npm run replay -- open x\.json\.har, /],
  ['x.har.zip', 'PK\u0003\u0004', /^This is a HAR.* open x\.har\.zip, /],
  ['x.zip', 'PK\u0003\u0004', /^This is a zip file, which can contain a HAR\. .* open x\.zip, /],
  ['x.json', '{"format":"parley-golden"}', /^This is a golden.* Drop the capture\.$/],
  [
    'x.golden.json',
    '{\n  "format": "parley-golden" }',
    /^This is a golden.* Drop the capture, x\.parley\.jsonl\./,
  ],
  ['x.har.golden.json', '{"format":"parley-golden"}', / Drop the capture, x\.har\./],
  ['notes.txt', 'notes', /^notes\.txt:1: is not JSON/],
])('says what %s is', async (name, content, error) => {
  const { ask } = served();
  const answer = await ask('load', { source: { kind: 'file', file: new Blob([content]), name } });
  expect(answer).toMatchObject({ error: expect.stringMatching(error) });
});

test('fails a load at an invalid line and names the line', async () => {
  const { ask } = served();
  const bytes = new TextEncoder().encode(`${captureText([])}{}\n{}\n`);
  expect(await ask('load', file(bytes))).toMatchObject({ error: 'x.gz:2: has no time `t`' });
});
