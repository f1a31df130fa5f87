import { describe, expect, it } from 'vitest';
import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { defaultPreferences } from '#shared/store/sharedSlices.ts';
import {
  alertShown,
  fileOffered,
  fileRefused,
  fileSent,
  noteShown,
  viewChanged,
} from '#shared/actions/windowActions.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { sendFile, sendOffered } from './sendFile.ts';

function createWindow() {
  const sent: unknown[] = [];
  const parley: Pick<ParleyBridge, 'invoke' | 'send'> = {
    send: (...message) => void sent.push(message),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encode` is the only channel used here
    invoke: ((_channel: 'encode', bytes: ArrayBuffer) =>
      Promise.resolve(Buffer.from(bytes).toString('base64'))) as ParleyBridge['invoke'],
  };
  const store = createWindowStateStore();
  return { sent, parley, store, dispatch: store.dispatch, getState: store.getState };
}

describe('sendFile', () => {
  it('sends an image as an image message with its file name', async () => {
    const { sent, store, ...deps } = createWindow();
    await sendFile(new File(['png'], 'cat.png', { type: 'image/png' }), deps);
    expect(sent).toEqual([['message', { category: 'image', text: 'cat.png', blob: 'cG5n' }]]);
    expect(store.dispatched).toEqual([
      fileOffered({ name: 'cat.png', size: 3, type: 'image/png' }),
      fileSent({ name: 'cat.png', size: 3 }),
    ]);
  });

  it.each(['text/plain', '', 'application/image/png'])(
    'sends a file of type %j as a file message',
    async (type) => {
      const { sent, ...deps } = createWindow();
      await sendFile(new File(['notes'], 'notes', { type }), deps);
      expect(sent).toEqual([['message', { category: 'file', text: 'notes', blob: 'bm90ZXM=' }]]);
    },
  );

  it('spec §8 file size: sends 999,999 bytes; shows the alert and sends nothing for 1,000,000', async () => {
    const { sent, store, ...deps } = createWindow();
    await sendFile(new File([new Uint8Array(999_999)], 'under'), deps);
    expect(sent).toEqual([['message', expect.objectContaining({ category: 'file', text: 'under' })]]);
    await sendFile(new File([new Uint8Array(1_000_000)], 'over'), deps);
    expect(sent).toHaveLength(1);
    expect(store.dispatched.slice(2)).toEqual([
      fileOffered({ name: 'over', size: 1_000_000, type: '' }),
      fileRefused({ name: 'over', size: 1_000_000, reason: 'tooLarge' }),
      alertShown({ text: 'File must be under 1MB.' }),
    ]);
  });

  it('shows an alert and sends nothing when the file no longer exists', async () => {
    const { sent, store, ...deps } = createWindow();
    const file = new File(['x'], 'gone');
    file.arrayBuffer = () => Promise.reject(new DOMException('It is gone.', 'NotFoundError'));
    await sendFile(file, deps);
    expect(sent).toEqual([]);
    expect(store.getState().own.alerts.waiting).toEqual([{ id: 0, text: 'The file cannot be read.' }]);
  });
});

const messageOf = (name: string) => [
  'message',
  { category: 'file', text: name, blob: Buffer.from(name).toString('base64') },
];

/** Creates a window that shows the conversation. */
function createConversation({ sendAllFiles = false } = {}) {
  const window = createWindow();
  window.dispatch(viewChanged({ view: 'conversation' }));
  const getState = () => ({
    ...window.store.getState(),
    preferences: { ...defaultPreferences, sendAllFiles, fromEnvironment: [] },
  });
  return { ...window, getState };
}

describe('sendOffered', () => {
  const files = ['a', 'b', 'c'].map((name) => new File([name], name));
  it('sends the first of several files and says so', async () => {
    const { sent, store, ...deps } = createConversation();
    await sendOffered(files, deps);
    expect(sent).toEqual([messageOf('a')]);
    expect(store.getState().own.notes?.text).toMatch(/^Only the first of 3 files was taken\./);
  });

  it('dismisses the note when a later file is sent, and keeps it while files are refused', async () => {
    const { store, sent, ...deps } = createConversation();
    await sendOffered(files, deps);
    await sendOffered([new File([new Uint8Array(1_000_000)], 'large')], deps);
    expect(store.getState().own.notes?.text).toMatch(/^Only the first of 3 files/);
    await sendFile(new File(['d'], 'd'), deps);
    expect(store.getState().own.notes).toBeNull();
    await sendOffered(files.slice(1), deps);
    expect(store.getState().own.notes?.text).toMatch(/^Only the first of 2 files/);
    expect(sent).toHaveLength(3);
  });

  it('keeps a note about something else', async () => {
    const { store, sent, ...deps } = createConversation();
    store.dispatch(noteShown({ text: 'This session is saved in', path: '/x' }));
    await sendOffered(files.slice(2), deps);
    expect(sent).toHaveLength(1);
    expect(store.getState().own.notes?.path).toBe('/x');
  });

  it('shows no note for one file, and does nothing without a file', async () => {
    const { sent, store, ...deps } = createConversation();
    await sendOffered(files.slice(2), deps);
    await sendOffered([], deps);
    expect(sent).toEqual([messageOf('c')]);
    expect(store.getState().own.notes).toBeNull();
  });

  it('sends all files in order when the person has set it, except those that cannot be sent', async () => {
    const { sent, store, ...deps } = createConversation({ sendAllFiles: true });
    const [a, b, c] = files;
    if (a === undefined || b === undefined || c === undefined) return;
    const large = new File([new Uint8Array(1_000_000)], 'large');
    // The first one takes longest.
    const read = a.arrayBuffer.bind(a);
    a.arrayBuffer = async () => {
      await Promise.all([b.arrayBuffer(), c.arrayBuffer()]);
      return read();
    };
    await sendOffered([a, large, b, { folder: 'pictures' }, c], deps);
    expect(sent).toEqual(['a', 'b', 'c'].map(messageOf));
    expect(store.getState().own.notes).toBeNull();
    expect(store.getState().own.alerts.waiting.map(({ text }) => text)).toEqual([
      'File must be under 1MB.',
      'A folder cannot be sent. Drop a file instead.',
    ]);
  });

  it('sends no further file after the person has logged out', async () => {
    const { sent, store, ...deps } = createConversation({ sendAllFiles: true });
    const sending = sendOffered(files, deps);
    store.dispatch(viewChanged({ view: 'login' }));
    await sending;
    expect(sent).toEqual([messageOf('a')]);
  });

  it('shows an alert for a folder', async () => {
    const { sent, store, ...deps } = createConversation();
    await sendOffered([{ folder: 'pictures' }], deps);
    expect(sent).toEqual([]);
    expect(store.dispatched.slice(1)).toEqual([
      fileOffered({ name: 'pictures', size: 0, type: '' }),
      fileRefused({ name: 'pictures', size: 0, reason: 'folder' }),
      alertShown({ text: 'A folder cannot be sent. Drop a file instead.' }),
    ]);
  });
});
