import { expect, it, vi } from 'vitest';
import { platformInbox } from '#tests/builders/platformInbox.ts';
import { recv } from '#tests/builders/recv.ts';
import type { InspectorClient } from '../../protocol/workerClient.ts';
import { captureText } from '../../model/testing/captureText.ts';
import { createInspector } from './createInspector.ts';
import { modelClient, until } from './testing/modelClient.ts';

vi.stubGlobal('innerHeight', 900);

const FIRST = captureText([{ t: 0, type: 'open' }, recv(1, { person: 'Ada', messages: [] })]);
const line = (record: object) => `${JSON.stringify(record)}\n`;
const renamed = (t: number, name: string) => line(recv(t, { name }));

/** Creates an inspector, and a live session that the test continues. */
function live(client: InspectorClient = modelClient()) {
  const inspector = createInspector(client);
  const listeners = new Set<(text: string) => void>();
  const ends = new Set<(text: string) => void>();
  inspector.openLive({
    onLines(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onEnded(listener) {
      ends.add(listener);
      return () => ends.delete(listener);
    },
  });
  const send = (text: string) => listeners.forEach((listener) => listener(text));
  const { store } = inspector;
  const shows = async (person: string) => {
    await until(store, ({ view }) => view?.parley?.conversation.person === person);
    expect(store.get().view?.parley?.conversation.person).toBe(person);
  };
  const end = (text: string) => ends.forEach((listener) => listener(text));
  return { inspector, store, send, shows, end };
}

/** Creates a client whose answers to some requests wait: `held` has the function that releases each of them. */
function holding(isHeld: (...request: Parameters<InspectorClient['request']>) => boolean) {
  const model = modelClient();
  const held = platformInbox<() => void>();
  const request: InspectorClient['request'] = async (name, params) => {
    const result = await model.request(name, params);
    if (isHeld(name, params)) await new Promise<void>((resolve) => held.push(resolve));
    return result;
  };
  return { model, held, client: { ...model, request } };
}

const file = (text: string) => ({ kind: 'file', file: new Blob([text]), name: 'other' }) as const;

it('skips a broken line of a live session with a warning, and shows the lines after it', async () => {
  const { store, send, shows } = live();
  send(FIRST);
  await shows('Ada');
  send(`{"t":\n${renamed(200, 'Grace')}`);
  await shows('Grace');
  expect(store.get().warning).toEqual({
    text: 'This session:4: is not JSON; this line is skipped',
    isError: true,
  });
  send(renamed(300, 'Edith'));
  await shows('Edith');
  expect(store.get().follows).toBe(true);
});

it('follows a live session until the person steps back, and again on request, and says when it has ended', async () => {
  const { inspector, store, send, shows, end } = live();
  send(FIRST);
  await shows('Ada');
  inspector.navigate.by(-1);
  const { step } = store.get();
  send(renamed(200, 'Grace'));
  await until(store, ({ info }) => (info?.steps ?? 0) > step + 1);
  expect(store.get()).toMatchObject({ step, isLive: true, follows: false });
  inspector.follow(true);
  await shows('Grace');
  end('The session has ended.');
  expect(store.get().warning).toEqual({ text: 'The session has ended.', isError: false });
});

it('says that a live session cannot be continued, keeps what it shows, and opens another capture', async () => {
  const model = modelClient();
  const request: InspectorClient['request'] = (name, params) =>
    name === 'append' ? Promise.reject(new Error('The reducer failed.')) : model.request(name, params);
  const { inspector, store, send, shows } = live({ ...model, request });
  send(FIRST);
  await shows('Ada');
  send(renamed(200, 'Grace'));
  await until(store, ({ warning }) => warning !== undefined);
  expect(store.get().warning?.text).toContain('The reducer failed.');
  expect(store.get()).toMatchObject({ isLive: false, follows: false, phase: { kind: 'ready' } });
  await inspector.open(file(FIRST.replace('Ada', 'Edith')), { step: 9 });
  await shows('Edith');
});

it('shows the capture that was opened last, also when an older one is loaded later', async () => {
  const { client, held } = holding(
    (name, params) => name === 'load' && 'source' in params && params.source.name === 'slow',
  );
  const { inspector, store } = live(client);
  const slow = inspector.open({ ...file(FIRST), name: 'slow' });
  const release = await held.next();
  await inspector.open(file(FIRST));
  release();
  await slow;
  expect(store.get()).toMatchObject({ phase: { kind: 'ready' }, info: { name: 'other' } });
});

it('shows the part of a long capture that has been read, stays at its step, and shows the rest when it is read', async () => {
  const { client, model, held } = holding((name) => name === 'load');
  let report: Parameters<InspectorClient['onProgress']>[0] | undefined;
  const onProgress: InspectorClient['onProgress'] = (listener) => {
    report = listener;
    return () => {};
  };
  const whole = FIRST + renamed(200, 'Grace');
  const { inspector, store } = live({ ...client, onProgress });
  const opened = inspector.open(file(whole), { step: 2 });
  const release = await held.next();
  const info = { ...(await model.request('append', { text: '' })), steps: 1 };
  report?.({ read: 1, total: 9, info });
  expect(store.get().phase).toEqual({ kind: 'loading', name: 'other', read: 1, total: 9 });
  report?.({ read: 5, total: 9, info: { ...info, steps: 3 } });
  expect(store.get()).toMatchObject({ phase: { kind: 'ready', rest: { read: 5, total: 9 } }, step: 2 });
  inspector.navigate.toLast();
  report?.({ read: 6, total: 9 });
  expect(store.get()).toMatchObject({ phase: { rest: { read: 6, total: 9 } }, info: { steps: 3 }, step: 3 });
  release();
  await opened;
  expect(store.get()).toMatchObject({ phase: { kind: 'ready' }, info: { steps: 5 }, step: 3 });
  expect(store.get().phase).not.toHaveProperty('rest');
});
