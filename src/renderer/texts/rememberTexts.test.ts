import { configureStore, combineReducers } from '@reduxjs/toolkit';
import { describe, expect, it, vi } from 'vitest';
import { windowStateReducer } from '#shared/store/windowState.ts';
import {
  startFailureChanged,
  textBoxClosed,
  textBoxEdited,
  textBoxOpened,
  textBoxSent,
  viewChanged,
} from '#shared/actions/windowActions.ts';
import { createTextMemory } from './createTextMemory.ts';
import { rememberTexts } from './rememberTexts.ts';

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

  it('keeps the draft until the page ends when there is no storage', () => {
    const { dispatch, memory } = signedIn(null);
    dispatch(textBoxOpened({ text: 'hello' }));
    expect(memory.draft()).toBe('hello');
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

  it('stores the mark of the account, and of no account after a log out', () => {
    const storage = createStorage();
    const { memory } = signedIn(storage, '8ad3');
    expect(storage.items.get('parley-account-mark')).toBe('8ad3');
    memory.setAccount(false);
    expect(storage.items.has('parley-account-mark')).toBe(false);
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

  it.each(['[1]', '{}', '"text"', '[""]', 'no JSON'])(
    'recalls nothing when the storage contains %s',
    (stored) => {
      const storage = createStorage();
      signedIn(storage);
      storage.setItem('parley-texts', stored);
      expect(signedIn(storage).memory.recall('older', '')).toBeUndefined();
    },
  );

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

  it('restores a dropped character, which is not recalled', () => {
    const { dispatch, memory } = signedIn();
    dispatch(textBoxOpened({ text: '👋' }));
    dispatch(textBoxClosed());
    expect(memory.takeDropped()).toBe('👋');
    expect(memory.recall('older', '')).toBeUndefined();
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
