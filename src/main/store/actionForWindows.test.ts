import { expect, test } from 'vitest';
import * as limits from '#shared/limits.ts';
import { sharedReducer } from '#shared/store/rootReducer.ts';
import type { Update, Message } from '#shared/protocol/update.ts';
import { type ReleasedUpdate, connectionConfirmed, updateApplied } from '#shared/actions/sessionActions.ts';
import { message, messages, snapshot, text } from '#tests/browser/harness/message.ts';
import { actionForWindows, decodeBlob, itemForWindows } from './actionForWindows.ts';
import { blobReference, partForWindows, partText, stateText } from './actionForWindows.ts';
import type { Conversation, ConversationPart } from '#shared/conversation/conversation.ts';
import { emptyConversation, fromSnapshot } from '#shared/conversation/conversation.ts';
import { blobPath } from '#shared/conversation/blobReference.ts';
import { blobResponse } from '../window/servePages.ts';

const LONG = 'A'.repeat(limits.INLINE_BLOB_LENGTH + 4);
const TOO_LONG = '<'.repeat(limits.WINDOW_MESSAGE_LENGTH + 1);
const applied = (update: Update) => ({
  ...updateApplied({ update, bytes: 1, tick: 3, known: 2 } satisfies ReleasedUpdate),
  meta: { seq: 7 },
});

test('forwards a snapshot with its number, its words, its length and its newest messages only', () => {
  const all = messages(20_000);
  const { frame } = snapshot(...all);
  const forwarded = actionForWindows(
    applied({ kind: 'snapshot', frame: Object({ ...frame, words: ['stop'] }) }),
  );
  expect(forwarded).toMatchObject({ type: 'update/snapshotApplied', meta: { seq: 7 } });
  const { person, newest, words, tick, known } = Object(Object(forwarded).payload);
  expect([person, words, tick, known]).toEqual(['Ada Lovelace', ['stop'], 3, 2]);
  const part = JSON.parse(newest);
  expect([part.length, part.messages]).toEqual([20_000, all.slice(part.from)]);
  expect(newest.length).toBeLessThan(1.1 * limits.NEWEST_PART_LENGTH);
});

test('clips the name of a person that is too long for a window', () => {
  const conversation = fromSnapshot({ person: TOO_LONG, messages: [] });
  const state = { ...sharedReducer(undefined, { type: '' }), conversation, conversationStart: 7 };
  const update = { kind: 'snapshot', frame: { person: TOO_LONG, messages: [] } } as const;
  for (const sent of [stateText(state), JSON.stringify(actionForWindows(applied(update)))])
    expect(sent).toContain(`"person":"${'<'.repeat(500)}…"`);
});

test('forwards long blobs of a message and of a content item by reference, and every other action unchanged', () => {
  const item = { category: 'file', text: 'a.bin', html: null, blob: LONG };
  for (const update of [
    { kind: 'message', frame: message('a', [item], { avatar: LONG }) },
    { kind: 'message', frame: message('a.bin', [], { avatar: LONG }) },
    { kind: 'content', frame: item },
    snapshot(message('a', [item], { avatar: LONG })),
  ] as const) {
    const sent = JSON.stringify(actionForWindows(applied(update)));
    expect(sent.length).toBeLessThan(1500);
    expect(sent).toContain('a.bin');
  }
  const blob = 'A'.repeat(limits.WINDOW_MESSAGE_LENGTH + 4);
  const update = { kind: 'content', frame: { ...item, blob } } as const;
  const sent = JSON.stringify(actionForWindows(updateApplied({ update, bytes: blob.length, tick: 0 })));
  expect(sent).toContain('a.bin');
  const others = [
    connectionConfirmed(),
    applied({ kind: 'message', frame: message('a', [text('hi')]) }),
    applied({ kind: 'content', frame: text('hi') }),
    applied({ kind: 'text', frame: { text: LONG } }),
    applied({ kind: 'name', frame: { name: 'Ada' } }),
  ];
  for (const action of others) expect(actionForWindows(action)).toBe(action);
});

const SAID = 'This message is too long to be shown. Save the session to read it in a file.';
const NOTICE = { category: 'text', text: SAID, html: null, blob: null };
const CLIPPED = `${'<'.repeat(500)}…`;
const CUT = { id: CLIPPED, modifier: CLIPPED, content: [NOTICE] };

test.each<Update & { readonly sent: object }>([
  { kind: 'message', frame: message(TOO_LONG, [], { modifier: TOO_LONG }), sent: CUT },
  { kind: 'text', frame: { text: TOO_LONG }, sent: { text: SAID } },
  { kind: 'content', frame: text(TOO_LONG), sent: NOTICE },
  { kind: 'name', frame: { name: TOO_LONG }, sent: { name: CLIPPED } },
  { kind: 'context', frame: { context: TOO_LONG }, sent: { context: CLIPPED } },
])('forwards a $kind that is too long for a window as a notice, and reports it', ({ sent, ...update }) => {
  let count = 0;
  const action = { ...updateApplied({ update, bytes: TOO_LONG.length, tick: 0 }), meta: { seq: 7 } };
  expect(actionForWindows(action, () => count++)).toEqual({
    ...action,
    payload: { ...action.payload, update: { ...update, frame: sent } },
  });
  expect(count).toBe(1);
});

const BLOB = Buffer.alloc(limits.INLINE_BLOB_LENGTH, 7).toString('base64');

const svg = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${content.padEnd(limits.INLINE_BLOB_LENGTH)}</svg>`);

test('an item for windows has a blob up to the limit inline, and a longer one by reference beside its other fields', () => {
  const short = { category: 'image', blob: 'A'.repeat(limits.INLINE_BLOB_LENGTH) };
  expect(itemForWindows(short)).toBe(short);
  const item = { blob: BLOB, category: 'image', text: 'a.png', extra: [1] };
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(itemForWindows(item)).toEqual({ ...item, blob: { head: BLOB.slice(0, 32), hash, image: null } });
});

function decodeInWindow(blob: string): Buffer | null {
  try {
    return Buffer.from(atob(blob), 'latin1');
  } catch {
    return null;
  }
}

test('decodes a blob to the same bytes as `atob` in a window', () => {
  const blobs = ['AAEC', 'AAE=', 'A', 'AAE==', 'A A E C\n', 'AA-_', 'AA*A', ''];
  expect(blobs.map(decodeBlob)).toEqual(blobs.map(decodeInWindow));
});

const part = (all: readonly Message[], options: Parameters<typeof partForWindows>[1]): ConversationPart =>
  JSON.parse(partForWindows({ length: all.length, at: (index) => all[index] ?? {} }, options));

const size = (list: readonly Message[]) => list.map((one) => JSON.stringify(one)).join('').length;

test('contains as many messages before an index as fit, and one that is longer than a part; a notice in place of one that is too long for a window', () => {
  const all = messages(1000);
  const { length, from, messages: taken } = part(all, { before: 900, limit: 10_000 });
  expect([length, taken]).toEqual([1000, all.slice(from, 900)]);
  expect(size(taken.slice(1))).toBeLessThan(10_000);
  expect(size(taken)).toBeGreaterThanOrEqual(10_000);
  const long = [message('long', [text('x'.repeat(5000))]), ...messages(1)];
  expect(part(long, { before: 1, limit: 1000 })).toMatchObject({ from: 0, messages: [long[0]] });
  const [tooLong, other] = [message('long', [text(TOO_LONG)]), ...messages(1)];
  let count = 0;
  const shown = part([tooLong, Object(other)], { before: 2, limit: 10_000, onTooLong: () => count++ });
  expect(shown.messages).toMatchObject([{ id: 'long', content: [{ category: 'text' }] }, Object(other)]);
  expect([count, JSON.stringify(shown.messages[0]).includes('too long to be shown')]).toEqual([1, true]);
});

test('there is a part before each message and at the end, and none elsewhere or of an earlier conversation', () => {
  const conversation = fromSnapshot({ person: 'Ada', messages: messages(2) });
  const state = { ...sharedReducer(undefined, { type: '' }), conversation, conversationStart: 7 };
  const at = (before: unknown, start = 7) => partText(state, { start, before });
  const parts = [1, 2].map((before) => JSON.parse(at(before) ?? ''));
  expect(parts).toMatchObject([1, 2].map((length) => ({ length: 2, from: 0, messages: { length } })));
  const long = { ...state, conversation: fromSnapshot({ person: '', messages: messages(20_000) }) };
  const sizes = [partText(long, { start: 7, before: 20_000 }) ?? '', stateText(long)].map(
    (one) => one.length,
  );
  expect(sizes.map((one) => Math.floor(one / limits.NEWEST_PART_LENGTH))).toEqual([4, 1]);
  expect([at(0), at(3), at(1.5), at('1'), at(undefined), at(1, 6)]).toEqual(Array(6).fill(null));
});

test('contains a limited number of blob references, because each blob is hashed', () => {
  const item = { category: 'file', text: 'a.bin', blob: 'A'.repeat(1_000_000) };
  const all = Array.from({ length: 40 }, () => message('a', [item], { avatar: item.blob }));
  const { from } = part(all, { before: 40, limit: 1_000_000 });
  expect(40 - from).toBe(Math.ceil(limits.PART_BLOBS_LENGTH / 2_000_000));
});

const bytesFrom = (beginning: string) => Buffer.from(beginning.padEnd(20_000, '\x03'), 'latin1');
const PNG = bytesFrom('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x09\0\0\0\x09');
const SVG = svg('<g/>');
const GROWING_SVG = svg('<g id="a"><use href="#a"/></g>');
const itemOf = (bytes: Buffer, category = 'image') => ({ category, blob: bytes.toString('base64') });
const of = (...all: Message[]): Conversation => fromSnapshot({ person: 'Ada', messages: all });
const pathOf = (bytes: Buffer, place = { message: 0, item: 0 }): string =>
  blobPath(blobReference(bytes.toString('base64')), place) ?? '';

test.each([
  ['a picture', 'image', PNG, 'image/png'],
  ['a sound', 'audio', bytesFrom('\x1aE\xdf\xa3'), 'audio/webm'],
  ['an SVG picture', 'image', SVG, 'image/svg+xml'],
  ['an SVG picture that may block the window', 'image', GROWING_SVG, 'application/octet-stream'],
  ['SVG in a file, a document', 'file', SVG, 'application/octet-stream'],
  ['a web page', 'file', Buffer.from('<!doctype html>'.padEnd(20_000)), 'application/octet-stream'],
])('a response has the bytes of %s and the type that they show', async (...[, category, bytes, type]) => {
  const response = blobResponse(of(message('a', [itemOf(bytes, category)])), pathOf(bytes));
  const body = await response?.arrayBuffer();
  expect(body && Buffer.from(body)).toEqual(bytes);
  expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
});

test('contract §5 image over a limit: a reference has the type with which an image is drawn, and none for one that is not; there is no response when the item is no longer in the conversation, another blob is at its place, or the path is not that of a blob', () => {
  const images = [SVG, GROWING_SVG].map((bytes) => blobReference(bytes.toString('base64')).image);
  expect(images).toEqual(['image/svg+xml', null]);
  for (const other of [emptyConversation, of(message('a', [])), of(message('a', [itemOf(SVG)]))])
    expect(blobResponse(other, pathOf(PNG))).toBeUndefined();
  for (const path of ['/index.html', '/blob/', '/blob/0/0/', '/blob/0/0/abc', '/blob/-1/0/x', '/blob/a/b/c'])
    expect(blobResponse(of(message('a', [itemOf(PNG)])), path)).toBeUndefined();
});
