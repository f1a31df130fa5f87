import { parleyApp } from '../model/apps/parley.ts';
import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { recv } from '#tests/builders/recv.ts';
import { captureText } from '../model/testing/captureText.ts';
import { readSource } from '../readSource.ts';
import { serveModel } from '../serveModel.ts';
import { WorkerClient } from './workerClient.ts';
import type { Reply, Request } from './protocol.ts';

const capture = (person: string) =>
  captureText([recv(0, { person, messages: [] }), recv(200, { name: 'a' }), recv(400, { name: 'b' })]);
const source = (text: string) => ({ kind: 'file', file: new Blob([text]), name: 'x' }) as const;
const SEARCH = { from: 0, direction: 'forward', target: { kind: 'frame', text: '/(a+)+$/' } } as const;

/** A worker in this thread, which stops to answer when the test says so. */
interface FakeWorker {
  readonly posted: Request[];
  isTerminated: boolean;
  isStuck: boolean;
  reply(reply: Reply): void;
}

/** Creates a client whose workers are models in this thread. */
function connected() {
  const clock = virtualClock();
  const workers: FakeWorker[] = [];
  const client = new WorkerClient((onReply) => {
    const worker: FakeWorker = { posted: [], isTerminated: false, isStuck: false, reply: onReply };
    workers.push(worker);
    const answer = serveModel({
      app: () => parleyApp,
      send: (reply) => {
        if (!worker.isStuck) onReply(reply);
      },
      now: () => 0,
      yieldToMessages: () => Promise.resolve(),
      read: (from, { loader }) => readSource(from, { loader, onRead: () => {} }),
    });
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
  await client.request('load', { source: source(capture('Ada')) });
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
  expect((await client.request('rows', { from: 0, to: 9 })).map(({ kind }) => kind)).toEqual([
    'received',
    'applied',
    'received',
    'applied',
  ]);
  expect(names(1)).toEqual(['load', 'filter', 'edit', 'view', 'rows']);
});

test('answers the other requests of a stopped worker after the session is loaded again, in their order', async () => {
  const { client, clock, search, names } = connected();
  await client.request('load', { source: source(capture('Ada')) });
  search();
  const edited = client.request('edit', { edits: [edit('Grace')] });
  const view = client.request('view', { step: 2 });
  clock.advance(2000);
  const row = client.request('stepAt', { t: 200 });
  expect(names(1)).toEqual(['load']);
  expect(await edited).toMatchObject({ firstDivergence: 2 });
  expect(await view).toMatchObject({ parley: { conversation: { person: 'Ada' } } });
  expect(await row).toBe(3);
  expect(names(1)).toEqual(['load', 'edit', 'view', 'stepAt']);
});

test('appends the lines of a live session again, and not an edit that failed', async () => {
  const inspector = connected();
  const { client, clock, search, names } = inspector;
  await client.request('load', { source: { kind: 'text', text: capture('Ada'), name: 'x' } });
  const { steps } = await client.request('append', {
    text: `${JSON.stringify(recv(600, { name: 'c' }))}\n`,
  });
  await client.request('edit', { edits: [edit('Grace')] });
  await expect(client.request('edit', { edits: [{ kind: 'skip', record: 99 }] })).rejects.toThrow(
    'no record 99',
  );
  search();
  clock.advance(2000);
  expect(await person(inspector)).toBe('Grace');
  expect(await client.request('stepAt', { t: 1e9 })).toBe(steps);
  expect(names(1)).toEqual(['load', 'append', 'edit', 'view', 'stepAt']);
});

test('appends the lines that a live session has got together, and answers those that it gets meanwhile', async () => {
  const { client, clock, search, names } = connected();
  const append = (t: number) =>
    client.request('append', { text: `${JSON.stringify(recv(t, { name: 'c' }))}\n` });
  await client.request('load', { source: { kind: 'text', text: capture('Ada'), name: 'x' } });
  for (const t of [600, 800, 1000]) {
    await append(t);
    await client.request('filter', { filter: { text: 'name' } });
  }
  search();
  const last = append(1200);
  clock.advance(2000);
  const { steps } = await last;
  expect(await client.request('stepAt', { t: 1e9 })).toBe(steps);
  expect(steps).toBe(14);
  expect((await client.request('rows', { from: 0, to: 99 })).map(({ t }) => t)).toContain(1000);
  expect(names(1)).toEqual(['load', 'append', 'filter', 'append', 'stepAt', 'rows']);
});

test('does not stop a search that pauses, nor other work that takes long', async () => {
  const { client, clock, workers, search } = connected();
  await client.request('load', { source: source(capture('Ada')) });
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

test('counts no time in which the page itself was busy', async () => {
  const { client, clock, workers, search } = connected();
  await client.request('load', { source: source(capture('Ada')) });
  const { worker } = search();
  clock.stall(10_000);
  // A late timer runs before the message that has arrived.
  clock.advance(0);
  worker.reply({ searching: undefined });
  clock.advance(10_000);
  expect(workers).toHaveLength(1);
});

test('loads the session that was opened while a search was stuck, and ignores what the ended worker still says', async () => {
  const inspector = connected();
  const { client, clock, workers, search, names } = inspector;
  await client.request('load', { source: source(capture('Ada')) });
  const { worker, id } = search();
  const older = client.request('load', { source: source(capture('Grace')) });
  older.catch(() => {});
  const opened = client.request('load', { source: source(capture('Edith')) });
  clock.advance(2000);
  worker.reply({ searching: id });
  await expect(older).rejects.toThrow('A newer request took its place.');
  expect(await opened).toMatchObject({ name: 'x' });
  clock.advance(2000);
  expect(workers).toHaveLength(2);
  expect(names(1)).toEqual(['load']);
});

test('opens another session at once while the former one is loaded again', async () => {
  const { client, clock, workers, search, names } = connected();
  await client.request('load', { source: source(capture('Ada')) });
  search();
  clock.advance(2000);
  const view = client.request('view', { step: 2 });
  expect(names(1)).toEqual(['load']);
  const opened = client.request('load', { source: source(capture('Edith')) });
  expect(names(1)).toEqual(['load', 'view', 'load']);
  await Promise.all([view, opened]);
  expect(await client.request('view', { step: 2 })).toMatchObject({
    parley: { conversation: { person: 'Edith' } },
  });
  expect(workers).toHaveLength(2);
});
