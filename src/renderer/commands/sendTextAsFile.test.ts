import { describe, expect, it } from 'vitest';
import {
  alertShown,
  fileOffered,
  fileRefused,
  fileSent,
  textBoxOpened,
  textBoxSent,
  viewChanged,
} from '#shared/actions/windowActions.ts';
import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { PastedText } from '../store/createTextMemory.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { sendTextAsFile, textFile, textFileName } from './sendFile.ts';

/** Creates a window whose text box has this text. */
function createWindow(text: string, pasted = new PastedText()) {
  const sent: unknown[] = [];
  const parley: Pick<ParleyBridge, 'invoke' | 'send'> = {
    send: (...message) => void sent.push(message),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encode` is the only channel used here
    invoke: ((_channel: 'encode', bytes: ArrayBuffer) =>
      Promise.resolve(Buffer.from(bytes).toString('base64'))) as ParleyBridge['invoke'],
  };
  const { dispatch, dispatched, getState } = createWindowStateStore();
  dispatch(viewChanged({ view: 'conversation' }));
  dispatch(textBoxOpened({ text }));
  dispatched.length = 0;
  return { sent, dispatched, deps: { parley, dispatch, getState, texts: { pasted } } };
}

const messageOf = (name: string, content: string) => [
  'message',
  { category: 'file', text: name, blob: Buffer.from(content).toString('base64') },
];

describe('sendTextAsFile', () => {
  it('closes the box, then sends the text as a file', async () => {
    const text = `Grüße ${'👋'.repeat(122)}`;
    const { sent, dispatched, deps } = createWindow(text);
    await sendTextAsFile(deps);
    const file = { name: 'Grüße.txt', size: 496 };
    expect(dispatched).toEqual([textBoxSent(), fileOffered({ ...file, type: 'text/plain' }), fileSent(file)]);
    expect(sent).toEqual([messageOf('Grüße.txt', text)]);
  });

  it.each(['', 'x'.repeat(249)])('does nothing with a text of less than 250 characters', async (text) => {
    const { sent, dispatched, deps } = createWindow(text);
    await sendTextAsFile(deps);
    expect([sent, dispatched]).toEqual([[], []]);
  });

  it('sends all of a pasted text, and says so when it cannot', async () => {
    const pasted = new PastedText();
    const long = Array.from({ length: 300 }, (_, at) => String(at)).join('-');
    pasted.keep(long, 500);
    const { sent, deps } = createWindow(long.slice(0, 500), pasted);
    await sendTextAsFile(deps);
    const changed = `${long.slice(0, 480)}!${long.slice(480, 500)}`;
    const other = createWindow(changed, pasted);
    await sendTextAsFile(other.deps);
    const name = '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16.txt';
    expect([...sent, ...other.sent]).toEqual([messageOf(name, long), messageOf(name, changed)]);
    expect(other.deps.getState().own.notes?.text).toMatch(/^Only the text of the text box was sent/);
  });

  it('spec §8 file size: keeps the text in the box when the file has 1,000,000 bytes', async () => {
    const pasted = new PastedText();
    pasted.keep('x'.repeat(1_000_000), 10_000);
    const { sent, dispatched, deps } = createWindow('x'.repeat(10_000), pasted);
    await sendTextAsFile(deps);
    const file = { name: `${'x'.repeat(40)}.txt`, size: 1_000_000 };
    expect(dispatched).toEqual([
      fileOffered({ ...file, type: 'text/plain' }),
      fileRefused({ ...file, reason: 'tooLarge' }),
      alertShown({ text: 'File must be under 1MB.' }),
    ]);
    expect(deps.getState().own.textBox).toHaveLength(10_000);
    expect(sent).toEqual([]);
  });
});

it.each([
  ['Summarise this report:\n\nSales', 'Summarise this report Sales.txt'],
  ["import { useRef } from 'react';", 'import useRef from react.txt'],
  ['a word after the other until the name is long enough', 'a word after the other until the name is.txt'],
  ['x'.repeat(300), `${'x'.repeat(40)}.txt`],
  ['語'.repeat(300), `${'語'.repeat(40)}.txt`],
  ['مرحبا بالعالم', 'مرحبا بالعالم.txt'],
  ['cafe\u0301 au lait', 'cafe\u0301 au lait.txt'],
  ['../../etc/passwd', 'etc passwd.txt'],
  ['con', '_con.txt'],
  ['\u202Egpj.exe', 'gpj exe.txt'],
  ['👋'.repeat(200), 'message.txt'],
  [' \n\t'.repeat(100), 'message.txt'],
  ['\uD83D'.repeat(300), 'message.txt'],
  ['', 'message.txt'],
])('names the file with %j', (text, name) => {
  expect(textFileName(text)).toBe(name);
});

it('contains the text as UTF-8', async () => {
  const file = textFile('Grüße 👋 שלום');
  expect([await file.text(), file.type]).toEqual(['Grüße 👋 שלום', 'text/plain']);
});
