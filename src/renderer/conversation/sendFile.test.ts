import { describe, expect, it } from 'vitest';
import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { sendFile } from './sendFile.ts';

function createWindow() {
  const sent: unknown[] = [];
  const parley: Pick<ParleyBridge, 'invoke' | 'send'> = {
    send: (...message) => void sent.push(message),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encode` is the only channel used here
    invoke: ((_channel: 'encode', bytes: ArrayBuffer) =>
      Promise.resolve(Buffer.from(bytes).toString('base64'))) as ParleyBridge['invoke'],
  };
  return { sent, parley, alert: (text: string) => void sent.push(text) };
}

describe('sendFile', () => {
  it('sends an image as an image message with its file name', async () => {
    const { sent, ...deps } = createWindow();
    await sendFile(new File(['png'], 'cat.png', { type: 'image/png' }), deps);
    expect(sent).toEqual([['message', { category: 'image', text: 'cat.png', blob: 'cG5n' }]]);
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
    const { sent, ...deps } = createWindow();
    await sendFile(new File([new Uint8Array(999_999)], 'under'), deps);
    expect(sent).toEqual([['message', expect.objectContaining({ category: 'file', text: 'under' })]]);
    await sendFile(new File([new Uint8Array(1_000_000)], 'over'), deps);
    expect(sent.slice(1)).toEqual(['File must be under 1MB.']);
  });

  it('shows an alert and sends nothing when the file no longer exists', async () => {
    const { sent, ...deps } = createWindow();
    const file = new File(['x'], 'gone');
    file.arrayBuffer = () => Promise.reject(new DOMException('It is gone.', 'NotFoundError'));
    await sendFile(file, deps);
    expect(sent).toEqual(['The file cannot be read.']);
  });
});
