import { configureStore, combineReducers } from '@reduxjs/toolkit';
import { expect, it, vi } from 'vitest';
import * as act from '#shared/actions/windowActions.ts';
import { windowStateReducer } from '#shared/store/windowState.ts';
import { createStorage } from '../testing/createWindowStateStore.ts';
import * as remembered from './createTextMemory.ts';

const { createTextMemory, rememberTexts, sessionStorageOf, PastedText, TextList } = remembered;

type Storage = ReturnType<typeof createStorage>;

function load(storage: Storage | null) {
  const memory = createTextMemory(storage);
  const { dispatch, getState } = configureStore({
    reducer: combineReducers({ own: windowStateReducer }),
    middleware: (defaults) => defaults().concat(rememberTexts(memory)),
  });
  return {
    memory,
    dispatch,
    textBox: () => getState().own.textBox,
    texts: () => [getState().own.textBox, memory.draft(), memory.recall('older', '')],
    write(text: string, end: 'send' | 'drop') {
      dispatch(act.textBoxOpened({ text }));
      dispatch(end === 'send' ? act.textBoxSent() : act.textBoxClosed());
    },
    /** The account of the window, as main reports it. */
    account(account: string | false) {
      memory.setAccount(account);
      dispatch(act.viewChanged({ view: account === false ? 'login' : 'conversation' }));
    },
  };
}

function signedIn(storage: Storage | null = createStorage(), account = 'account-1') {
  const page = load(storage);
  page.account(account);
  return page;
}

it.each([
  ['was edited', act.textBoxEdited({ text: 'half of 👨‍👩‍👧 and \uD83D' }), 'half of 👨‍👩‍👧 and \uD83D'],
  ['was sent', act.textBoxSent(), null],
  ['was closed', act.textBoxClosed(), null],
  ['is empty', act.textBoxEdited({ text: '' }), null],
])('opens the text box after a reload only with a draft, when it %s', (_, action, draft) => {
  const storage = createStorage();
  const { dispatch } = signedIn(storage);
  dispatch(act.textBoxOpened({ text: 'hello' }));
  dispatch(action);
  expect(signedIn(storage).textBox()).toBe(draft);
});

it('the draft waits while the conversation is not opened because earlier starts failed', () => {
  const storage = createStorage();
  signedIn(storage).dispatch(act.textBoxOpened({ text: 'hello' }));
  const { dispatch, textBox } = signedIn(storage);
  dispatch(act.startFailureChanged({ failure: { canSave: true } }));
  expect(textBox()).toBeNull();
  dispatch(act.startFailureChanged({ failure: null }));
  expect(textBox()).toBe('hello');
});

it('continues when the storage is full, and without one: then it keeps the texts until another account signs in', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const full = { ...createStorage(), setItem: () => void expect.fail('full') };
  const { dispatch, textBox } = signedIn(full);
  dispatch(act.textBoxOpened({ text: 'hello' }));
  expect(textBox()).toBe('hello');
  const page = Object.defineProperty(Object({}), 'sessionStorage', { get: () => expect.fail('denied') });
  expect(sessionStorageOf(page)).toBeNull();
  const refused = 'The storage of the page refused a text, which a reload loses. full';
  const none = 'The page has no storage: a reload loses the draft. denied';
  const said = warn.mock.calls.map(([text, { message }]) => `${text} ${message}`);
  expect(said).toEqual([refused, refused, none]);
  const window = signedIn(null);
  expect([...window.texts(), window.memory.takeDropped()]).toEqual([null, '', undefined, '']);
  window.write('sent', 'send');
  window.dispatch(act.textBoxOpened({ text: 'a draft' }));
  const textsOf = (account: string) => (window.memory.setAccount(account), window.texts());
  expect(textsOf('account-1')).toEqual(['a draft', 'a draft', 'sent']);
  expect(textsOf('account-2')).toEqual(['a draft', '', undefined]);
});

it.each<[string, (storage: Storage) => void]>([
  ['the person logs out', (storage) => signedIn(storage).account(false)],
  ['the page loads signed out', (storage) => load(storage).account(false)],
  [
    'another account signs in',
    (storage) => expect(signedIn(storage, 'account-2').texts()).toEqual([null, '', undefined]),
  ],
])('deletes the draft and the texts when %s', (_, happen) => {
  const storage = createStorage();
  const { dispatch, write } = signedIn(storage);
  write('a sent text', 'send');
  dispatch(act.textBoxOpened({ text: 'a draft' }));
  expect(JSON.stringify([...storage.items])).toMatch(/a sent text.*a draft|a draft.*a sent text/);
  happen(storage);
  expect(JSON.stringify([...storage.items])).not.toMatch(/sent|draft"?,"a|false/);
  expect(signedIn(storage).textBox()).toBeNull();
});

it('recalls sent and dropped texts, also after a reload, but nothing from a storage with other contents', () => {
  const storage = createStorage();
  const { write } = signedIn(storage);
  write('sent', 'send');
  write('dropped', 'drop');
  write('x', 'drop');
  const { memory, textBox } = signedIn(storage);
  expect(textBox()).toBeNull();
  expect(memory.recall('older', '')).toBe('dropped');
  expect(memory.recall('older', 'dropped')).toBe('sent');
  for (const other of ['[1]', 'no JSON']) {
    storage.setItem('parley-texts', other);
    expect(signedIn(storage).memory.recall('older', '')).toBeUndefined();
  }
});

it('restores a dropped text once, but not after another one was written or sent, and nothing of another person, not the rest of a paste either', () => {
  const { dispatch, memory, account, write } = signedIn();
  write('hello', 'drop');
  write('', 'drop');
  dispatch(act.textBoxOpened({ text: '' }));
  expect([memory.takeDropped(), memory.takeDropped()]).toEqual(['hello', '']);
  for (const other of [act.textBoxEdited({ text: '' }), act.textBoxSent()]) {
    write('first', 'drop');
    dispatch(act.textBoxOpened({ text: 's' }));
    dispatch(other);
    expect(memory.takeDropped()).toBe('');
  }
  write('hello', 'drop');
  memory.pasted.keep(LONG, ROOM);
  account('account-2');
  expect(memory.takeDropped()).toBe('');
  expect(memory.pasted.complete(LONG.slice(0, ROOM))).toBe(LONG.slice(0, ROOM));
});

const ROOM = 400;
/** A text of 1,000 characters without repetitions. */
const LONG = Array.from({ length: 200 }, (_, at) => String(at).padStart(4, '0'))
  .join('-')
  .padEnd(1000, '.');

it('the rest of a pasted text completes its beginning, also between other texts and with a changed beginning, but no other text, none with a changed end, and none after it is forgotten or when too little fitted', () => {
  const rest = new PastedText();
  rest.keep(LONG, ROOM);
  const fitting = LONG.slice(0, ROOM);
  expect(rest.complete(`Explain: ${fitting} Thanks.`)).toBe(`Explain: ${LONG} Thanks.`);
  expect(rest.complete(fitting.slice(200))).toBe(LONG.slice(200));
  expect(rest.complete(fitting)).toBe(LONG);
  const changed = `${LONG.slice(0, ROOM - 20)}!${LONG.slice(ROOM - 20, ROOM)}`;
  expect([rest.complete('another text'), rest.complete(changed)]).toEqual(['another text', changed]);
  const texts = ['another text', changed, `Explain: ${changed}`];
  expect(texts.map((text) => rest.isChangedAtCut(text))).toEqual([false, true, true]);
  expect(rest.isChangedAtCut(LONG.slice(0, ROOM))).toBe(false);
  // Too little fits in 100 characters.
  expect([rest.keep(LONG, 100), rest.complete(LONG.slice(0, 100))]).toEqual([false, LONG.slice(0, 100)]);
  expect(rest.isChangedAtCut(LONG)).toBe(false);
  expect([rest.keep(LONG, 101), rest.complete(LONG.slice(0, 101))]).toEqual([true, LONG]);
  const faces = '👋'.repeat(100);
  expect([rest.keep(faces, 101), rest.complete(faces.slice(0, 100))]).toEqual([true, faces]);
  rest.forget();
  expect([rest.complete(LONG.slice(0, 101)), rest.isChangedAtCut(faces)]).toEqual([
    LONG.slice(0, 101),
    false,
  ]);
});

it('keeps each text once, and only the newest 20; recalls older texts from the newest on, and newer ones up to the empty text, but nothing in a text that the person wrote or edited', () => {
  const list = new TextList(['one', 'two']);
  expect([list.recall('older', 'three'), list.recall('older', 'two!')]).toEqual([undefined, undefined]);
  let shown = '';
  const recalled = Array.from('↑↑↑↓↓↓', (direction) => {
    const text = list.recall(direction === '↑' ? 'older' : 'newer', shown);
    shown = text ?? shown;
    return text;
  });
  expect(recalled).toEqual(['two', 'one', undefined, 'two', '', undefined]);
  const many = new TextList();
  for (let count = 1; count <= 21; count++) many.add(`text ${count}`);
  many.add('text 5');
  expect([many.texts.length, many.texts[0]]).toEqual([20, 'text 2']);
  expect(many.texts.slice(-2)).toEqual(['text 21', 'text 5']);
});
