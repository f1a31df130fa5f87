import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { copied } from '#shared/actions/outputActions.ts';
import { CodeCopied } from '#ui/code/decorateCode.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { namesFiles, reportCopies } from './handleTransfers.ts';
import type { ParleyToolsBridge } from '#shared/ipc/channels.ts';
import * as voice from './recordVoice.ts';

const files = [{ name: 'notes 1.txt' }, { name: 'cat.png' }];

test.each([
  ['notes 1.txt\ncat.png', true],
  ['/home/ada/notes 1.txt\n/home/ada/cat.png\n', true],
  ['C:\\Users\\Ada\\notes 1.txt\nC:\\Users\\Ada\\cat.png', true],
  ['file:///home/ada/notes%201.txt\nfile:///home/ada/cat.png', true],
  ['notes 1.txt', false],
  ['a cell\nof a table', false],
  ['notes 1.txt\ncat.png\nmore', false],
])('tells the names of the files from a text of its own in %j: %s', (text, isNames) => {
  expect(namesFiles(text, files)).toBe(isNames);
});

const copy = () => new Event('copy', { cancelable: true });
const selected = (length: number) => copied({ kind: 'selection', length, outcome: 'copied' });

describe('what the person copies', () => {
  class Field {
    constructor(
      readonly type: string,
      readonly selectionStart: number,
      readonly selectionEnd: number,
    ) {}
  }
  beforeEach(() => {
    vi.stubGlobal('HTMLTextAreaElement', Field);
    vi.stubGlobal('HTMLInputElement', Field);
  });
  afterEach(() => vi.unstubAllGlobals());

  /** Returns the actions of an event in a window with a selection, and with the focus in a field. */
  function actionsOf(event: Event, { selection = '', field }: { selection?: string; field?: Field } = {}) {
    const store = createWindowStateStore();
    const document = { activeElement: field ?? null, getSelection: () => selection };
    const target = Object.assign(new EventTarget(), { document });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    reportCopies(target as unknown as Window, store);
    target.dispatchEvent(event);
    return store.dispatched;
  }

  test('is reported with the length of the selection, of the document or of a field that is no password, or of what the conversation itself put on the clipboard', () => {
    expect(actionsOf(copy(), { selection: 'hello' })).toEqual([selected(5)]);
    expect(actionsOf(copy(), { selection: 'hello', field: new Field('text', 1, 4) })).toEqual([selected(3)]);
    expect(actionsOf(copy())).toEqual([]);
    expect(actionsOf(copy(), { field: new Field('password', 0, 8) })).toEqual([]);
    const event = Object.assign(copy(), { clipboardData: { getData: () => 'two messages' } });
    event.preventDefault();
    expect(actionsOf(event, { selection: 'other' })).toEqual([selected(12)]);
  });

  test('is a block of code when its button was pressed, copied or not', () => {
    for (const outcome of ['copied', 'failed'] as const)
      expect(actionsOf(new CodeCopied(7, outcome === 'copied'))).toEqual([
        copied({ kind: 'code', length: 7, outcome }),
      ]);
  });
});

test.each([
  ['AnyOtherError', true, voice.MICROPHONE_BUSY],
  ['NotAllowedError', true, voice.DENIED],
  ['NotAllowedError', false, voice.NEEDS_RELOAD],
  ['NotFoundError', true, voice.NO_MICROPHONE],
  ['NotReadableError', true, voice.MICROPHONE_BUSY],
])('returns the message for %s (the page may ask: %s)', (name, mayAsk, text) => {
  expect(voice.explainMicrophoneError(new DOMException('why', name), mayAsk)).toBe(text);
});

/** A tab whose page can be loaded again; `sent` has what all its pages sent to main. */
function createTab() {
  const stored = new Map<string, string>();
  const sent: string[] = [];
  const tab = { losesSomething: false, reloads: 0 };
  const load = (hasStorage = true) => {
    const listeners = new Set<() => void>();
    const tools: Pick<ParleyToolsBridge, 'on' | 'send'> = {
      send: (_, { type }) => void sent.push(type),
      on(_channel, listener) {
        const call = () => Reflect.apply(listener, undefined, []);
        listeners.add(call);
        return () => listeners.delete(call);
      },
    };
    const reloadToRecord = voice.createReloadToRecord({
      tools,
      storage: hasStorage
        ? {
            getItem: (key) => stored.get(key) ?? null,
            setItem: (key, value) => void stored.set(key, value),
            removeItem: (key) => void stored.delete(key),
          }
        : null,
      losesSomething: () => tab.losesSomething,
      reload: () => void tab.reloads++,
    });
    /** Main requests the page's state. */
    const requestState = () => listeners.forEach((call) => call());
    return { ...reloadToRecord, requestState };
  };
  return { tab, load, sent };
}

test('starts the recording once, after main has seen that the page was loaded again', () => {
  const { tab, load, sent } = createTab();
  const first = load();
  first.requestState();
  expect([first.isPossible(), sent]).toEqual([true, []]);
  first.reload();
  expect(tab.reloads).toBe(1);
  const second = load();
  expect(sent).toEqual([]);
  second.requestState();
  second.requestState();
  expect(sent).toEqual(['recording/toggleRequested']);
});

test('does not reload when something would be lost, without storage, and again directly after such a reload', () => {
  const { tab, load } = createTab();
  expect(load(false).isPossible()).toBe(false);
  tab.losesSomething = true;
  expect(load().isPossible()).toBe(false);
  tab.losesSomething = false;
  load().reload();
  expect(load().isPossible()).toBe(false);
  const third = load();
  third.requestState();
  expect(third.isPossible()).toBe(true);
});
