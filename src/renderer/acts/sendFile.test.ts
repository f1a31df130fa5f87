import { describe, expect, it } from 'vitest';
import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { alertShown } from '#shared/window/alerts.ts';
import { fileOffered, fileRefused, fileSent } from '#shared/window/file.ts';
import { createOwnStore } from '../testing/createOwnStore.ts';
import { sendFile, sendOffered } from './sendFile.ts';

function createWindow() {
  const sent: unknown[] = [];
  const parley: Pick<ParleyBridge, 'invoke' | 'send'> = {
    send: (...message) => void sent.push(message),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encode` is the only channel used here
    invoke: ((_channel: 'encode', bytes: ArrayBuffer) =>
      Promise.resolve(Buffer.from(bytes).toString('base64'))) as ParleyBridge['invoke'],
  };
  const store = createOwnStore();
  return { sent, parley, store, dispatch: store.dispatch };
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

describe('sendOffered', () => {
  const files = ['a', 'b', 'c'].map((name) => new File([name], name));

  it('sends the first of several files and says so', async () => {
    const { sent, store, ...deps } = createWindow();
    await sendOffered(files, deps);
    expect(sent).toEqual([['message', { category: 'file', text: 'a', blob: 'YQ==' }]]);
    expect(store.getState().own.notes?.text).toMatch(/^Only the first of 3 files was taken\./);
  });

  it('shows no note for one file, and does nothing without a file', async () => {
    const { sent, store, ...deps } = createWindow();
    await sendOffered(files.slice(2), deps);
    await sendOffered([], deps);
    expect(sent).toHaveLength(1);
    expect(store.getState().own.notes).toBeNull();
  });

  it('shows an alert for a folder', async () => {
    const { sent, store, ...deps } = createWindow();
    await sendOffered([{ folder: 'pictures' }], deps);
    expect(sent).toEqual([]);
    expect(store.dispatched).toEqual([
      fileOffered({ name: 'pictures', size: 0, type: '' }),
      fileRefused({ name: 'pictures', size: 0, reason: 'folder' }),
      alertShown({ text: 'A folder cannot be sent. Drop a file instead.' }),
    ]);
  });
});
