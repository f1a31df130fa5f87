import { expect, test } from 'vitest';
import type { ParleyToolsBridge } from '#shared/ipc/channels.ts';
import {
  explainMicrophoneError,
  DENIED,
  MICROPHONE_BUSY,
  NEEDS_RELOAD,
  NO_MICROPHONE,
  createReloadToRecord,
} from './recordVoice.ts';

test.each([
  ['NotAllowedError', true, DENIED],
  ['NotAllowedError', false, NEEDS_RELOAD],
  ['NotFoundError', true, NO_MICROPHONE],
  ['NotReadableError', true, MICROPHONE_BUSY],
  ['AbortError', true, MICROPHONE_BUSY],
])('returns the message for %s (the page may ask: %s)', (name, mayAsk, text) => {
  expect(explainMicrophoneError(new DOMException('why', name), mayAsk)).toBe(text);
});

test('returns the message of a busy microphone for any other error', () => {
  expect(explainMicrophoneError(new Error('why'), true)).toBe(MICROPHONE_BUSY);
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
    const reloadToRecord = createReloadToRecord({
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

test('does not reload again directly after such a reload, and can after another one', () => {
  const { load } = createTab();
  load().reload();
  expect(load().isPossible()).toBe(false);
  const third = load();
  third.requestState();
  expect(third.isPossible()).toBe(true);
});

test('does not reload when something would be lost, or when the page has no storage', () => {
  const { tab, load } = createTab();
  expect(load(false).isPossible()).toBe(false);
  tab.losesSomething = true;
  expect(load().isPossible()).toBe(false);
});
