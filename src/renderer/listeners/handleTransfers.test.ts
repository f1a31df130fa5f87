import { expect, test } from 'vitest';
import { recordingToggleRequested } from '#shared/actions/userActions.ts';
import { createStorage } from '../testing/createWindowStateStore.ts';
import { namesFiles } from './handleTransfers.ts';
import { toolsBridge } from '#tests/builders/syncBridge.ts';
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

test.each([
  ['AnyOtherError', true, voice.MICROPHONE_BUSY],
  ['NotAllowedError', true, voice.DENIED],
  ['NotAllowedError', false, voice.NEEDS_RELOAD],
  ['NotFoundError', true, voice.NO_MICROPHONE],
  ['NotReadableError', true, voice.MICROPHONE_BUSY],
])('returns the message for %s (the page may ask: %s)', (name, mayAsk, text) => {
  expect(voice.explainMicrophoneError(new DOMException('why', name), mayAsk)).toBe(text);
});

/** A tab whose page can be loaded again; `sent` has what a page sent to main. */
function createTab() {
  const storage = createStorage();
  const tab = { losesSomething: false, reloads: 0 };
  const load = (hasStorage = true) => {
    const { tools, sent, emit } = toolsBridge();
    const reloadToRecord = voice.createReloadToRecord({
      tools,
      storage: hasStorage ? storage : null,
      losesSomething: () => tab.losesSomething,
      reload: () => void tab.reloads++,
    });
    const requestState = () => emit('requestState');
    return { ...reloadToRecord, requestState, sent };
  };
  return { tab, load };
}

test('starts the recording once, after main has seen that the page was loaded again', () => {
  const { tab, load } = createTab();
  const first = load();
  first.requestState();
  expect([first.isPossible(), first.sent]).toEqual([true, []]);
  first.reload();
  expect(tab.reloads).toBe(1);
  const second = load();
  expect(second.sent).toEqual([]);
  second.requestState();
  second.requestState();
  expect(second.sent).toEqual([['action', recordingToggleRequested()]]);
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
