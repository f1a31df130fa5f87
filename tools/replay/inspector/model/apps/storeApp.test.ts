import { expect, test } from 'vitest';
import { CHAT_RECORDS, type TeamChatFault, teamChat } from '../../../store/testing/teamChat.ts';
import { readSource } from '../../readSource.ts';
import { serveModel } from '../../serveModel.ts';
import type { Reply, Request } from '../../protocol/protocol.ts';
import { captureText } from '../testing/captureText.ts';
import { SessionError } from '../trace/app.ts';
import { storeApp } from './adapter.ts';

/** Loads the session of the chat as the inspector's worker does; returns a function that asks it. */
async function loaded(fault: TeamChatFault = {}) {
  const waiting = new Map<number, (reply: Reply) => void>();
  const answer = serveModel({
    send: (reply) => 'id' in reply && waiting.get(reply.id)?.(structuredClone(reply)),
    now: () => 0,
    yieldToMessages: () => Promise.resolve(),
    app: () => storeApp(teamChat(fault)),
    read: readSource,
  });
  const ask = (name: string, params: object) =>
    new Promise<unknown>((resolve) => {
      const id = waiting.size;
      waiting.set(id, (reply) => resolve('error' in reply ? reply.error : Object(reply).result));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      answer({ id, name, params } as unknown as Request);
    });
  const source = { kind: 'text', name: 'x', text: captureText(CHAT_RECORDS) };
  return { info: await ask('load', { source }), ask };
}

test('lists the steps of a store with what they do, at the frame that caused them', async () => {
  const { info, ask } = await loaded();
  expect(info).toMatchObject({
    updates: 9,
    frames: { received: 6, rejected: 0 },
    app: { name: 'team-chat' },
  });
  await ask('filter', { filter: {} });
  expect(await ask('rows', { from: 0, to: 30 })).toMatchObject([
    { kind: 'open' },
    { kind: 'received', summary: '{"event":"typing","user":"u1"}' },
    { kind: 'applied', updateKind: 'chat/typed', summary: 'typed "u1"', record: 2 },
    { kind: 'received', record: 3 },
    { kind: 'applied', updateKind: 'chat/stopped', record: 3, changed: true },
    { kind: 'applied', updateKind: 'chat/posted', record: 3, summary: expect.stringContaining('posted {') },
    { kind: 'ignored', updateKind: 'chat/loadName/pending', record: 3 },
    { kind: 'other', summary: 'request 1: GET /api/users/u1' },
    { kind: 'received' },
    { kind: 'other', summary: 'request 1: status 200' },
    { kind: 'applied', updateKind: 'chat/loadName/fulfilled', record: 3, t: 40, delay: 30 },
    { kind: 'received' },
    { kind: 'applied', updateKind: 'chat/readBatch', t: 160, record: 7, delay: 100 },
    { kind: 'received' },
    { kind: 'applied' },
    { kind: 'applied' },
    { kind: 'received' },
    { kind: 'applied', t: 410, delay: 100 },
    { kind: 'other', summary: 'end of the recording' },
  ]);
  expect(await ask('view', { step: 13 })).toMatchObject({
    diff: expect.arrayContaining([{ path: 'state.read', before: 0, after: 2 }]),
    app: { display: ['hello'], state: { read: 2 } },
    wire: { text: '{"event":"read"}' },
  });
});

test('shows the exception of a store at its step, and continues', async () => {
  const { ask } = await loaded({ throwsAt: 'hello' });
  const step = Number(await ask('nextError', { from: 0, direction: 'forward' }));
  expect(await ask('view', { step })).toMatchObject({
    row: { updateKind: 'chat/posted', summary: 'the adapter threw TypeError: a post that is not expected' },
    failure: expect.stringMatching(/^TypeError: a post that is not expected\n +at /),
  });
  expect(await ask('view', { step: 99 })).toMatchObject({ app: { display: ['again'], state: { read: 3 } } });
});

test('refuses edits of the session of a store', async () => {
  const { ask } = await loaded();
  expect(await ask('edit', { edits: [{ kind: 'skip', record: 2 }] })).toMatch(
    /its session cannot be edited\.$/,
  );
});

test('says that the store cannot be created', async () => {
  const adapter = { ...teamChat(), createStore: () => Object({}) };
  await expect(
    storeApp(adapter)({ header: Object({ startedAt: '2026-01-01' }), records: [] }),
  ).rejects.toThrow(SessionError);
});
