import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { platformInbox } from '#tests/builders/platformInbox.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { virtualClock } from '#shared/clock.ts';
import { captureText } from './model/testing/modelOf.ts';
import { SessionError } from './model/trace/app.ts';
import type { Reply, Request, SessionInfo } from './protocol/protocol.ts';
import { type Environment, serveModel } from './serveModel.ts';
import { ENVIRONMENT, modelClient } from './page/session/testing/modelClient.ts';
import { WorkerClient } from './protocol/workerClient.ts';

/** Returns the requests of a model whose clock ends the time slice at each check, so each pause lets messages in. */
function served(others: Partial<Environment> = {}) {
  let now = 0;
  return modelClient({ now: () => (now += 1000), yieldToMessages: setImmediate, ...others }).request;
}

const textOf = (result: unknown) => JSON.stringify({ result }).slice(0, 30);

const LONG = captureText(Array.from({ length: 3000 }, (_, i) => recv(i * 100, { name: `name ${i}` })));
const textSource = (content: string) => ({ source: { kind: 'text', text: content, name: 'x' } }) as const;

test('answers a view before a long filter that is in progress, and a filter that a newer one replaces with `superseded`', async () => {
  const ask = served();
  await ask('load', textSource(LONG));
  const order: string[] = [];
  const filtered = ask('filter', { filter: { text: 'name 2999' } }).finally(() => order.push('filter'));
  await ask('view', { step: 10 });
  order.push('view');
  expect(await filtered).toMatchObject({ count: 2 });
  expect(order).toEqual(['view', 'filter']);
  const older = ask('filter', { filter: { text: 'a' } });
  const newer = ask('filter', { filter: { text: 'name 7' } });
  await expect(older).rejects.toThrow('superseded');
  expect(await newer).toMatchObject({ count: 222 });
});

test('answers requests about steps with the part that has been read, and others after the load', async () => {
  const [first, rest] = [LONG.slice(0, LONG.length / 2), LONG.slice(LONG.length / 2)].map((part) =>
    new TextEncoder().encode(part),
  );
  const parts: (SessionInfo | undefined)[] = [];
  const replies = platformInbox<string>();
  const reading = platformInbox<() => void>();
  let now = 0;
  const ask = serveModel({
    ...ENVIRONMENT,
    send(reply) {
      if ('progress' in reply) parts.push(reply.progress.info);
      else if ('id' in reply)
        replies.push(`${reply.id}: ${'result' in reply ? textOf(reply.result) : reply.error}`);
    },
    now: () => now,
    async read(_, { loader, onRead }) {
      onRead(0, LONG.length);
      loader.take(first ?? new Uint8Array());
      // After 0.1 s, it is too early to show a part.
      for (now of [100, 300]) onRead(first?.length ?? 0, LONG.length);
      await new Promise<void>((resolve) => reading.push(resolve));
      loader.take(rest ?? new Uint8Array());
    },
  });
  ask({ id: 1, name: 'load', params: { source: { kind: 'url', url: 'x', name: 'x', headers: {} } } });
  ask({ id: 2, name: 'nextError', params: { from: 0, direction: 'forward' } });
  ask({ id: 3, name: 'filter', params: { filter: {} } });
  const ofFilter = await replies.next();
  const { steps } = parts.at(-1) ?? {};
  expect(ofFilter).toBe(`3: ${textOf({ count: steps, steps })}`);
  expect(parts.map((part) => part?.updates)).toEqual([undefined, undefined, 1516]);
  (await reading.next())();
  const others = [await replies.next(), await replies.next()];
  expect(others.map((reply) => reply.slice(0, 2)).sort()).toEqual(['1:', '2:']);
  ask({ id: 4, name: 'rowOf', params: { step: 5000 } });
  expect(await replies.next()).toBe(`4: {"result":${(parts.at(-1)?.steps ?? 0) - 1}}`);
  ask({ id: 5, name: 'stepAt', params: { t: 1e9 } });
  expect(await replies.next()).toBe('5: {"result":6000}');
  // An edited branch belongs to the same session as the requests about its steps.
  ask({ id: 6, name: 'edit', params: { edits: [] } });
  await replies.next();
  ask({ id: 7, name: 'stepAt', params: { branch: 'edited', t: 1e9 } });
  expect(await replies.next()).toBe('7: {"result":6000}');
});

const fileSource = (content: BlobPart) => ({ kind: 'file', file: new Blob([content]), name: 'x' }) as const;

test('reads a gzipped file up to a missing end, with a warning', async () => {
  const source = { ...fileSource(new Uint8Array(gzipSync(LONG)).slice(0, -2000)), name: 'x.gz' };
  const reply = await served()('load', { source });
  const warning = 'x.gz: the gzip file ends too early; all before its end is used';
  expect(reply).toMatchObject({ warnings: [warning, expect.any(String)] });
});

const failing = () => {
  throw new SessionError('The adapter threw');
};

test.each([
  ['x.har', '{\n  "log": { "version": "1.2" } }', /^This is a HAR.* open x\.har, .* import x\.har /],
  ['x.zip', 'PK\u0003\u0004', /^This is a zip file, which can contain a HAR\. .* open x\.zip, /],
  [
    'x.golden.json',
    '{\n  "format": "parley-golden" }',
    /^This is a golden.* the capture, x\.parley\.jsonl\./,
  ],
])('says what %s is', async (name, content, error) => {
  const source = { ...fileSource(content), name };
  await expect(served()('load', { source })).rejects.toThrow(error);
});

test('answers a load with the exception of an adapter that cannot be loaded', async () => {
  const ask = served({ app: failing });
  await expect(ask('load', textSource(LONG))).rejects.toThrow('The adapter threw');
});

const capture = (person: string) =>
  captureText([recv(0, { person, messages: [] }), recv(200, { name: 'a' }), recv(400, { name: 'b' })]);
const SEARCH = { from: 0, direction: 'forward', target: { kind: 'frame', text: '/(a+)+$/' } } as const;

/** The state of a worker in this thread, which stops to answer when the test says so. */
const fakeWorker = (reply: (reply: Reply) => void, posted: Request[] = []) =>
  Object.assign({ isTerminated: false, isStuck: false }, { posted, reply });

/** Creates a client whose workers are models in this thread. */
function connected() {
  const clock = virtualClock();
  const workers: ReturnType<typeof fakeWorker>[] = [];
  const client = new WorkerClient((onReply) => {
    const worker = fakeWorker(onReply);
    workers.push(worker);
    const send = (reply: Reply) => void (worker.isStuck || onReply(reply));
    const answer = serveModel({ ...ENVIRONMENT, send });
    return {
      post(request) {
        worker.posted.push(request);
        if (!worker.isStuck) answer(request);
      },
      terminate: () => void (worker.isTerminated = true),
    };
  }, clock);
  /** Starts a search that computes without a pause. */
  const search = () => {
    const worker = workers.at(-1);
    if (worker === undefined) throw new Error('No worker was started.');
    worker.isStuck = true;
    const found = client.request('find', SEARCH);
    found.catch(() => {});
    const id = worker.posted.at(-1)?.id;
    worker.reply({ searching: id });
    return { found, worker, id };
  };
  const names = (index: number) => workers[index]?.posted.map(({ name }) => name);
  return { client, clock, workers, search, names };
}

const person = async ({ client }: ReturnType<typeof connected>) => {
  const { parley } = await client.request('view', { branch: 'edited', step: 2 });
  return parley?.conversation.person;
};
const edit = (name: string) =>
  ({ kind: 'replace', record: 1, data: JSON.stringify({ person: name, messages: [] }) }) as const;

test('stops a search that computes for 2 s; the session, its edits and the filtered list are as before', async () => {
  const inspector = connected();
  const { client, clock, workers, search, names } = inspector;
  await client.request('load', { source: fileSource(capture('Ada')) });
  await client.request('filter', { filter: { text: 'name' } });
  await client.request('edit', { edits: [edit('Grace')] });
  await client.request('edit', { edits: [edit('Edith')] });
  const { found, worker } = search();
  clock.advance(1999);
  expect(workers).toHaveLength(1);
  clock.advance(1);
  await expect(found).rejects.toThrow(
    /took more than 2 s at one step and was stopped\. Simplify its pattern/,
  );
  expect(worker.isTerminated).toBe(true);
  expect(await person(inspector)).toBe('Edith');
  expect(await client.request('rows', { from: 0, to: 9 })).toHaveLength(4);
  expect(names(1)).toEqual(['load', 'filter', 'edit', 'view', 'rows']);
});

test('does not stop a search that pauses, nor other work that takes long', async () => {
  const { client, clock, workers, search } = connected();
  await client.request('load', { source: fileSource(capture('Ada')) });
  const { worker, id } = search();
  for (let pauses = 0; pauses < 5; pauses++) {
    clock.advance(1900);
    worker.reply({ searching: undefined });
    worker.reply({ searching: id });
  }
  worker.reply({ searching: undefined });
  clock.advance(60_000);
  void client.request('save', {});
  clock.advance(60_000);
  expect(workers).toHaveLength(1);
  expect(clock.nextDue()).toBeUndefined();
});
