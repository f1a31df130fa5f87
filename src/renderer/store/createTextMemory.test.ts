import { configureStore, combineReducers } from '@reduxjs/toolkit';
import { describe, expect, it, vi } from 'vitest';
import {
  startFailureChanged,
  textBoxClosed,
  textBoxEdited,
  textBoxOpened,
  textBoxSent,
  viewChanged,
} from '#shared/actions/windowActions.ts';
import { windowStateReducer } from '#shared/store/windowState.ts';
import { createTextMemory, rememberTexts, PastedText, TextList } from './createTextMemory.ts';

/** The session storage of a page. */
function createStorage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

/** Loads a page whose storage is `storage`. */
function load(storage: ReturnType<typeof createStorage> | null) {
  const memory = createTextMemory(storage);
  const { dispatch, getState } = configureStore({
    reducer: combineReducers({ own: windowStateReducer }),
    middleware: (defaults) => defaults().concat(rememberTexts(memory)),
  });
  return {
    memory,
    dispatch,
    textBox: () => getState().own.textBox,
    /** The account of the window, as main reports it. */
    account(account: string | false) {
      memory.setAccount(account);
      dispatch(viewChanged({ view: account === false ? 'login' : 'conversation' }));
    },
  };
}

/** Loads a page that is signed in. */
function signedIn(storage: ReturnType<typeof createStorage> | null = createStorage(), account = 'account-1') {
  const page = load(storage);
  page.account(account);
  return page;
}

describe('the draft', () => {
  it('opens the text box with the draft after a reload', () => {
    const storage = createStorage();
    const { dispatch } = signedIn(storage);
    dispatch(textBoxOpened({ text: 'h' }));
    dispatch(textBoxEdited({ text: 'half of 👨‍👩‍👧 and \uD83D' }));
    expect(signedIn(storage).textBox()).toBe('half of 👨‍👩‍👧 and \uD83D');
  });

  it.each([
    ['was sent', textBoxSent()],
    ['was closed', textBoxClosed()],
    ['is empty', textBoxEdited({ text: '' })],
  ])('opens no text box after a reload when it %s', (_, action) => {
    const storage = createStorage();
    const { dispatch } = signedIn(storage);
    dispatch(textBoxOpened({ text: 'hello' }));
    dispatch(action);
    expect(signedIn(storage).textBox()).toBeNull();
  });

  it('waits while the conversation is not opened because earlier starts failed', () => {
    const storage = createStorage();
    signedIn(storage).dispatch(textBoxOpened({ text: 'hello' }));
    const { dispatch, textBox } = signedIn(storage);
    dispatch(startFailureChanged({ failure: { canSave: true } }));
    expect(textBox()).toBeNull();
    dispatch(startFailureChanged({ failure: null }));
    expect(textBox()).toBe('hello');
  });

  it('continues when the storage is full', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const full = { ...createStorage(), setItem: () => void expect.fail('full') };
    const { dispatch, textBox } = signedIn(full);
    dispatch(textBoxOpened({ text: 'hello' }));
    expect(textBox()).toBe('hello');
    expect(warn.mock.calls.flat().join(' ')).not.toContain('hello');
  });
});

describe('the account', () => {
  it.each([
    ['the person logs out', (storage: ReturnType<typeof createStorage>) => signedIn(storage).account(false)],
    [
      'the page loads signed out',
      (storage: ReturnType<typeof createStorage>) => load(storage).account(false),
    ],
    [
      'another account signs in',
      (storage: ReturnType<typeof createStorage>) => {
        const { textBox, memory } = signedIn(storage, 'account-2');
        expect(textBox()).toBeNull();
        expect(memory.recall('older', '')).toBeUndefined();
      },
    ],
  ])('deletes the draft and the texts when %s', (_, act) => {
    const storage = createStorage();
    const { dispatch } = signedIn(storage);
    dispatch(textBoxOpened({ text: 'a sent text' }));
    dispatch(textBoxSent());
    dispatch(textBoxOpened({ text: 'a draft' }));
    expect(JSON.stringify([...storage.items])).toMatch(/a sent text.*a draft|a draft.*a sent text/);
    act(storage);
    expect(JSON.stringify([...storage.items])).not.toMatch(/sent|draft"?,"a/);
    expect(signedIn(storage).textBox()).toBeNull();
  });
});

describe('the texts', () => {
  it('recalls sent and dropped texts, also after a reload', () => {
    const storage = createStorage();
    const { dispatch } = signedIn(storage);
    dispatch(textBoxOpened({ text: 'sent' }));
    dispatch(textBoxSent());
    dispatch(textBoxOpened({ text: 'dropped' }));
    dispatch(textBoxClosed());
    const { memory } = signedIn(storage);
    expect(memory.recall('older', '')).toBe('dropped');
    expect(memory.recall('older', 'dropped')).toBe('sent');
  });

  it.each(['[1]', 'no JSON'])('recalls nothing when the storage contains %s', (stored) => {
    const storage = createStorage();
    signedIn(storage);
    storage.setItem('parley-texts', stored);
    expect(signedIn(storage).memory.recall('older', '')).toBeUndefined();
  });

  it('restores a dropped text once', () => {
    const { dispatch, memory } = signedIn();
    dispatch(textBoxOpened({ text: 'hello' }));
    dispatch(textBoxClosed());
    dispatch(textBoxOpened({ text: '' }));
    dispatch(textBoxClosed());
    dispatch(textBoxOpened({ text: '' }));
    expect(memory.takeDropped()).toBe('hello');
    expect(memory.takeDropped()).toBe('');
  });

  it('restores nothing that another person dropped', () => {
    const { dispatch, memory, account } = signedIn();
    dispatch(textBoxOpened({ text: 'hello' }));
    dispatch(textBoxClosed());
    account('account-2');
    expect(memory.takeDropped()).toBe('');
  });

  it('restores no text after the person has written or sent another one', () => {
    const { dispatch, memory } = signedIn();
    dispatch(textBoxOpened({ text: 'first' }));
    dispatch(textBoxClosed());
    dispatch(textBoxOpened({ text: 's' }));
    dispatch(textBoxEdited({ text: '' }));
    expect(memory.takeDropped()).toBe('');
    dispatch(textBoxSent());
    expect(memory.takeDropped()).toBe('');
  });
});

const ROOM = 400;
/** A text of 1,000 characters without repetitions. */
const LONG = Array.from({ length: 200 }, (_, at) => String(at).padStart(4, '0'))
  .join('-')
  .padEnd(1000, '.');

function pasted(text: string, room = ROOM) {
  const rest = new PastedText();
  rest.keep(text, room);
  return rest;
}

describe('the rest of a pasted text', () => {
  it('completes the beginning, also between other texts and after a change of the beginning', () => {
    const rest = pasted(LONG);
    const fitting = LONG.slice(0, ROOM);
    expect(rest.complete(fitting)).toBe(LONG);
    expect(rest.complete(`Explain: ${fitting} Thanks.`)).toBe(`Explain: ${LONG} Thanks.`);
    expect(rest.complete(fitting.slice(200))).toBe(LONG.slice(200));
    expect(rest.complete(fitting)).toBe(LONG);
  });

  it('completes no other text, and none whose end was changed', () => {
    const rest = pasted(LONG);
    const changed = `${LONG.slice(0, ROOM - 20)}!${LONG.slice(ROOM - 20, ROOM)}`;
    expect([rest.complete('another text'), rest.complete(changed)]).toEqual(['another text', changed]);
    expect([rest.isChangedAtCut('another text'), rest.isChangedAtCut(changed)]).toEqual([false, true]);
    expect(rest.isChangedAtCut(LONG.slice(0, ROOM))).toBe(false);
  });

  it('completes nothing after it is forgotten, and when too little fitted', () => {
    const rest = pasted(LONG);
    rest.forget();
    expect(rest.complete(LONG.slice(0, ROOM))).toBe(LONG.slice(0, ROOM));
    expect(rest.keep(LONG, 100)).toBe(false);
    expect(rest.complete(LONG.slice(0, 100))).toBe(LONG.slice(0, 100));
    expect(rest.isChangedAtCut(LONG)).toBe(false);
    expect(rest.keep(LONG, 101)).toBe(true);
    expect(rest.complete(LONG.slice(0, 101))).toBe(LONG);
  });
});

/** Recalls in these directions, each time from the text that is shown; returns the texts that are shown. */
function recallAll(list: TextList, directions: string, first = ''): (string | undefined)[] {
  let shown: string = first;
  return Array.from(directions, (direction) => {
    const text = list.recall(direction === '↑' ? 'older' : 'newer', shown);
    shown = text ?? shown;
    return text;
  });
}

describe('TextList', () => {
  it('recalls older texts from the newest on, and newer ones up to the empty text', () => {
    const list = new TextList(['one', 'two']);
    expect(recallAll(list, '↑↑↑↓↓↓')).toEqual(['two', 'one', undefined, 'two', '', undefined]);
  });

  it('recalls nothing in a text that the person wrote or edited', () => {
    const list = new TextList(['one', 'two']);
    expect(list.recall('older', 'three')).toBeUndefined();
    expect(recallAll(list, '↑')).toEqual(['two']);
    expect(list.recall('older', 'two!')).toBeUndefined();
    expect(list.recall('newer', 'two!')).toBeUndefined();
  });

  it('keeps each text once, and only the newest 20', () => {
    const list = new TextList();
    for (let count = 1; count <= 21; count++) list.add(`text ${count}`);
    list.add('text 5');
    expect(list.texts).toHaveLength(20);
    expect(list.texts.at(0)).toBe('text 2');
    expect(list.texts.slice(-2)).toEqual(['text 21', 'text 5']);
    expect(recallAll(list, '↑↑')).toEqual(['text 5', 'text 21']);
  });
});
