import { writeFile } from 'node:fs/promises';
import type { HarMessageFields } from '../readHar.ts';
import { temporaryFolder } from '../../testing/files.ts';

/** Returns a message of a HAR: text and received, unless `fields` say otherwise. */
export const harMessage = (time: number, data: string, fields: Partial<HarMessageFields> = {}) => {
  return { type: 'receive', time, opcode: 1, data, ...fields };
};

type SocketFields = Readonly<Partial<Record<'url' | 'startedDateTime' | 'file', string>>>;

/** Returns an entry that is a WebSocket; with `file`, its messages are there. */
export const harSocket = (messages: readonly object[], fields: SocketFields = {}) => ({
  startedDateTime: fields.startedDateTime ?? '2026-11-20T09:00:00.000Z',
  request: { method: 'GET', url: fields.url ?? 'wss://platform.example/the-account', headers: [] },
  response: { status: 101, content: { size: -1, ...(fields.file && { _file: fields.file }) } },
  _resourceType: 'websocket',
  ...(fields.file === undefined && { _webSocketMessages: messages }),
});

const PAGE_LOAD = { request: { url: 'https://platform.example/' }, response: { content: { text: 'x' } } };

/** Returns a HAR's text: a page load, then these entries. */
export const harOf = (...entries: readonly object[]): string => {
  const creator = { name: 'WebInspector', version: '537.36' };
  return JSON.stringify({ log: { version: '1.2', creator, entries: [PAGE_LOAD, ...entries] } });
};

/** Writes a HAR, or any content, into a folder of its own. */
export async function writeHar(text: string | Uint8Array, name = 'session.har') {
  const path = await temporaryFolder();
  await writeFile(path(name), text);
  return { har: path(name), path };
}
