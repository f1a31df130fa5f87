import { expect, it } from 'vitest';
import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { defaultPreferences } from '#shared/store/sharedSlices.ts';
import * as act from '#shared/actions/windowActions.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { sendFile, sendOffered, sendTextAsFile, textFileName } from './sendFile.ts';
import { PastedText } from '../store/createTextMemory.ts';

/** Creates a window with the conversation, and with a text in its text box when there is one. */
function createWindow({ sendAllFiles = false, text = '', pasted = new PastedText() } = {}) {
  const sent: unknown[] = [];
  const parley: Pick<ParleyBridge, 'invoke' | 'send'> = {
    send: (...message) => void sent.push(message),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encode` is the only channel used here
    invoke: ((_channel: 'encode', bytes: ArrayBuffer) =>
      Promise.resolve(Buffer.from(bytes).toString('base64'))) as ParleyBridge['invoke'],
  };
  const preferences = { ...defaultPreferences, sendAllFiles, fromEnvironment: [] };
  const { dispatch, dispatched, getState } = createWindowStateStore(() => ({ preferences }));
  dispatch(act.viewChanged({ view: 'conversation' }));
  if (text !== '') dispatch(act.textBoxOpened({ text }));
  dispatched.length = 0;
  const deps = { parley, dispatch, getState, texts: { pasted } };
  return { sent, dispatched, deps, preferences, own: () => getState().own };
}

function messageOf(name: string, content = name) {
  const blob = Buffer.from(content).toString('base64');
  return ['message', { category: 'file', text: name, blob }];
}

const LARGE = new File([new Uint8Array(1_000_000)], 'large');

/** Returns the actions of a file that is too large. */
const refusalOf = (name: string, type = '') => [
  act.fileOffered({ name, size: 1_000_000, type }),
  act.fileRefused({ name, size: 1_000_000, reason: 'tooLarge' }),
  act.alertShown({ text: 'File must be under 1MB.' }),
];

it('spec §8 file size: sends an image as such with its file name, and 999,999 bytes; shows an alert and sends nothing for 1,000,000, or when the file no longer exists', async () => {
  const { sent, dispatched, deps, own } = createWindow();
  await sendFile(new File(['png'], 'cat.webp', { type: 'image/webp' }), deps);
  expect(sent.splice(0)).toEqual([['message', { category: 'image', text: 'cat.webp', blob: 'cG5n' }]]);
  const offered = act.fileOffered({ name: 'cat.webp', size: 3, type: 'image/webp' });
  expect(dispatched).toEqual([offered, act.fileSent({ name: 'cat.webp', size: 3 })]);
  await sendFile(new File([new Uint8Array(999_999)], 'under'), deps);
  expect(sent).toEqual([['message', expect.objectContaining({ category: 'file', text: 'under' })]]);
  await sendFile(LARGE, deps);
  expect(dispatched.slice(4)).toEqual(refusalOf('large'));
  const gone = new File(['x'], 'gone');
  gone.arrayBuffer = () => Promise.reject(new DOMException('It is gone.', 'NotFoundError'));
  await sendFile(gone, deps);
  expect(sent).toHaveLength(1);
  expect(own().alerts.waiting.slice(1)).toEqual([{ id: 1, text: 'The file cannot be read.' }]);
});

const [a, b, c] = [new File(['a'], 'a'), new File(['b'], 'b'), new File(['c'], 'c')];
const files = [a, b, c];

it('sends the first of several files and says so, until a later file is sent, also while files are refused, but not after a logout', async () => {
  const { sent, deps, own } = createWindow();
  await sendOffered(files, deps);
  expect(sent).toEqual([messageOf('a')]);
  await sendOffered([LARGE], deps);
  expect(own().notes?.text).toMatch(/^Only the first of 3 files/);
  await sendFile(new File(['d'], 'd'), deps);
  expect(own().notes).toBeNull();
  deps.dispatch(act.noteShown({ text: 'another' }));
  await sendFile(new File(['d'], 'd'), deps);
  expect(own().notes?.text).toBe('another');
  await sendOffered(files.slice(1), deps);
  expect(own().notes?.text).toMatch(/^Only the first of 2 files/);
  const sending = sendOffered(files, deps);
  deps.dispatch(act.viewChanged({ view: 'login' }));
  await sending;
  expect(own().notes).toBeNull();
  expect(sent).toHaveLength(5);
});

it('sends all files in order when the person has set it, except those that cannot be sent, and none after they have logged out', async () => {
  const { sent, dispatched, deps, own, preferences } = createWindow({ sendAllFiles: true });
  // The first one takes longest, and the person changes the setting meanwhile.
  const read = a.arrayBuffer.bind(a);
  a.arrayBuffer = async () => {
    preferences.sendAllFiles = false;
    await Promise.all([b.arrayBuffer(), c.arrayBuffer()]);
    return read();
  };
  await sendOffered([a, LARGE, b, { folder: 'pictures' }, c], deps);
  preferences.sendAllFiles = true;
  const folder = { name: 'pictures', size: 0 };
  expect(dispatched).toContainEqual(act.fileOffered({ ...folder, type: '' }));
  expect(dispatched).toContainEqual(act.fileRefused({ ...folder, reason: 'folder' }));
  expect(sent.splice(0)).toEqual(files.map(({ name }) => messageOf(name)));
  const texts = ['File must be under 1MB.', 'A folder cannot be sent. Drop a file instead.'];
  expect([own().notes, own().alerts.waiting.map(({ text }) => text)]).toEqual([null, texts]);
  const sending = sendOffered(files, deps);
  deps.dispatch(act.viewChanged({ view: 'login' }));
  await sending;
  expect(sent).toEqual([messageOf('a')]);
});

it('closes the box, then sends the text as a file, but none of less than 250 characters', async () => {
  const text = `Grüße ${'👋'.repeat(122)}`;
  const { sent, dispatched, deps } = createWindow({ text });
  await sendTextAsFile(deps);
  const file = { name: 'Grüße.txt', size: 496 };
  const offered = act.fileOffered({ ...file, type: 'text/plain' });
  expect(dispatched).toEqual([act.textBoxSent(), offered, act.fileSent(file)]);
  expect(sent).toEqual([messageOf('Grüße.txt', text)]);
  const short = createWindow({ text: 'x'.repeat(249) });
  await sendTextAsFile(short.deps);
  expect([short.sent, short.dispatched]).toEqual([[], []]);
});

it('spec §8 file size: sends all of a pasted text, says so when it cannot, and keeps the text in the box when the file has 1,000,000 bytes', async () => {
  const pasted = new PastedText();
  const long = Array.from({ length: 300 }, (_, at) => String(at)).join('-');
  pasted.keep(long, 500);
  const whole = createWindow({ text: long.slice(0, 500), pasted });
  await sendTextAsFile(whole.deps);
  const changed = `${long.slice(0, 480)}!${long.slice(480, 500)}`;
  const other = createWindow({ text: changed, pasted });
  await sendTextAsFile(other.deps);
  const name = '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16.txt';
  expect([...whole.sent, ...other.sent]).toEqual([messageOf(name, long), messageOf(name, changed)]);
  expect(other.own().notes?.text).toMatch(/^Only the text of the text box was sent/);
  pasted.keep('x'.repeat(1_000_000), 10_000);
  const large = createWindow({ text: 'x'.repeat(10_000), pasted });
  await sendTextAsFile(large.deps);
  expect(large.dispatched).toEqual(refusalOf(`${'x'.repeat(40)}.txt`, 'text/plain'));
  expect([large.own().textBox?.length, large.sent]).toEqual([10_000, []]);
});

it.each([
  ['Summarise this report:\n\nSales', 'Summarise this report Sales.txt'],
  ['a word after the other until the name is long enough', 'a word after the other until the name is.txt'],
  [`${'𝐚'.repeat(20)} ${'𝐚'.repeat(19)}`, `${'𝐚'.repeat(20)} ${'𝐚'.repeat(19)}.txt`],
  ['../../etc/passwd', 'etc passwd.txt'],
  ['\u202Egpj.exe', 'gpj exe.txt'],
  ['👋'.repeat(200), 'message.txt'],
  [' \n\t'.repeat(100), 'message.txt'],
  ['', 'message.txt'],
])('names the file with %j', (text, name) => expect(textFileName(text)).toBe(name));
