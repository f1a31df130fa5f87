import { expect, it } from 'vitest';
import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { defaultPreferences } from '#shared/store/sharedSlices.ts';
import * as act from '#shared/actions/windowActions.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { sendFile, sendOffered, sendTextAsFile, textFileName } from './sendFile.ts';
import { PastedText } from '../store/createTextMemory.ts';

function createWindow(sendAllFiles = false) {
  const sent: unknown[] = [];
  const parley: Pick<ParleyBridge, 'invoke' | 'send'> = {
    send: (...message) => void sent.push(message),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encode` is the only channel used here
    invoke: ((_channel: 'encode', bytes: ArrayBuffer) =>
      Promise.resolve(Buffer.from(bytes).toString('base64'))) as ParleyBridge['invoke'],
  };
  const preferences = { ...defaultPreferences, sendAllFiles, fromEnvironment: [] };
  const store = createWindowStateStore(() => ({ preferences }));
  return { sent, parley, store, dispatch: store.dispatch, getState: store.getState };
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

it('sends an image as an image message with its file name', async () => {
  const { sent, store, ...deps } = createWindow();
  await sendFile(new File(['png'], 'cat.webp', { type: 'image/webp' }), deps);
  expect(sent).toEqual([['message', { category: 'image', text: 'cat.webp', blob: 'cG5n' }]]);
  expect(store.dispatched).toEqual([
    act.fileOffered({ name: 'cat.webp', size: 3, type: 'image/webp' }),
    act.fileSent({ name: 'cat.webp', size: 3 }),
  ]);
});

it('spec §8 file size: sends 999,999 bytes; shows an alert and sends nothing for 1,000,000, or when the file no longer exists', async () => {
  const { sent, store, ...deps } = createWindow();
  await sendFile(new File([new Uint8Array(999_999)], 'under'), deps);
  expect(sent).toEqual([['message', expect.objectContaining({ category: 'file', text: 'under' })]]);
  await sendFile(LARGE, deps);
  expect(sent).toHaveLength(1);
  expect(store.dispatched.slice(2)).toEqual(refusalOf('large'));
  const gone = new File(['x'], 'gone');
  gone.arrayBuffer = () => Promise.reject(new DOMException('It is gone.', 'NotFoundError'));
  await sendFile(gone, deps);
  expect(sent).toHaveLength(1);
  expect(store.getState().own.alerts.waiting.slice(1)).toEqual([{ id: 1, text: 'The file cannot be read.' }]);
});

function createConversation({ sendAllFiles = false } = {}) {
  const window = createWindow(sendAllFiles);
  window.dispatch(act.viewChanged({ view: 'conversation' }));
  return window;
}

const [a, b, c] = [new File(['a'], 'a'), new File(['b'], 'b'), new File(['c'], 'c')];
const files = [a, b, c];

it('sends the first of several files and says so, until a later file is sent, also while files are refused', async () => {
  const { store, sent, ...deps } = createConversation();
  await sendOffered(files, deps);
  expect(sent).toEqual([messageOf('a')]);
  await sendOffered([LARGE], deps);
  expect(store.getState().own.notes?.text).toMatch(/^Only the first of 3 files/);
  await sendFile(new File(['d'], 'd'), deps);
  expect(store.getState().own.notes).toBeNull();
  await sendOffered(files.slice(1), deps);
  expect(store.getState().own.notes?.text).toMatch(/^Only the first of 2 files/);
  expect(sent).toHaveLength(3);
});

it('sends all files in order when the person has set it, except those that cannot be sent', async () => {
  const { sent, store, ...deps } = createConversation({ sendAllFiles: true });
  // The first one takes longest.
  const read = a.arrayBuffer.bind(a);
  a.arrayBuffer = async () => {
    await Promise.all([b.arrayBuffer(), c.arrayBuffer()]);
    return read();
  };
  store.dispatched.length = 0;
  await sendOffered([a, LARGE, b, { folder: 'pictures' }, c], deps);
  const folder = { name: 'pictures', size: 0 };
  expect(store.dispatched).toContainEqual(act.fileOffered({ ...folder, type: '' }));
  expect(store.dispatched).toContainEqual(act.fileRefused({ ...folder, reason: 'folder' }));
  expect(sent).toEqual(files.map(({ name }) => messageOf(name)));
  const { notes, alerts } = store.getState().own;
  const texts = ['File must be under 1MB.', 'A folder cannot be sent. Drop a file instead.'];
  expect([notes, alerts.waiting.map(({ text }) => text)]).toEqual([null, texts]);
});

it('sends no further file after the person has logged out', async () => {
  const { sent, store, ...deps } = createConversation({ sendAllFiles: true });
  const sending = sendOffered(files, deps);
  store.dispatch(act.viewChanged({ view: 'login' }));
  await sending;
  expect(sent).toEqual([messageOf('a')]);
});

function createTextWindow(text: string, pasted = new PastedText()) {
  const { sent, parley, store } = createWindow();
  const { dispatch, dispatched, getState } = store;
  dispatch(act.viewChanged({ view: 'conversation' }));
  dispatch(act.textBoxOpened({ text }));
  dispatched.length = 0;
  return { sent, dispatched, deps: { parley, dispatch, getState, texts: { pasted } } };
}

it('closes the box, then sends the text as a file, but none of less than 250 characters', async () => {
  const text = `Grüße ${'👋'.repeat(122)}`;
  const { sent, dispatched, deps } = createTextWindow(text);
  await sendTextAsFile(deps);
  const file = { name: 'Grüße.txt', size: 496 };
  const offered = act.fileOffered({ ...file, type: 'text/plain' });
  expect(dispatched).toEqual([act.textBoxSent(), offered, act.fileSent(file)]);
  expect(sent).toEqual([messageOf('Grüße.txt', text)]);
  const short = createTextWindow('x'.repeat(249));
  await sendTextAsFile(short.deps);
  expect([short.sent, short.dispatched]).toEqual([[], []]);
});

it('sends all of a pasted text, and says so when it cannot', async () => {
  const pasted = new PastedText();
  const long = Array.from({ length: 300 }, (_, at) => String(at)).join('-');
  pasted.keep(long, 500);
  const { sent, deps } = createTextWindow(long.slice(0, 500), pasted);
  await sendTextAsFile(deps);
  const changed = `${long.slice(0, 480)}!${long.slice(480, 500)}`;
  const other = createTextWindow(changed, pasted);
  await sendTextAsFile(other.deps);
  const name = '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16.txt';
  expect([...sent, ...other.sent]).toEqual([messageOf(name, long), messageOf(name, changed)]);
  expect(other.deps.getState().own.notes?.text).toMatch(/^Only the text of the text box was sent/);
});

it('spec §8 file size: keeps the text in the box when the file has 1,000,000 bytes', async () => {
  const pasted = new PastedText();
  pasted.keep('x'.repeat(1_000_000), 10_000);
  const { sent, dispatched, deps } = createTextWindow('x'.repeat(10_000), pasted);
  await sendTextAsFile(deps);
  expect(dispatched).toEqual(refusalOf(`${'x'.repeat(40)}.txt`, 'text/plain'));
  expect(deps.getState().own.textBox).toHaveLength(10_000);
  expect(sent).toEqual([]);
});

it.each([
  ['Summarise this report:\n\nSales', 'Summarise this report Sales.txt'],
  ['a word after the other until the name is long enough', 'a word after the other until the name is.txt'],
  ['../../etc/passwd', 'etc passwd.txt'],
  ['\u202Egpj.exe', 'gpj exe.txt'],
  ['👋'.repeat(200), 'message.txt'],
  [' \n\t'.repeat(100), 'message.txt'],
  ['', 'message.txt'],
])('names the file with %j', (text, name) => expect(textFileName(text)).toBe(name));
