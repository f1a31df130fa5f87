import { expect, test } from 'vitest';
import type { ParleyToolsBridge, ToolsReceived } from '#shared/ipc/tools.ts';
import { followNotes } from './followNotes.ts';

/** Creates a note that follows main, and a function that sends messages as main does. */
function createFollower() {
  const listeners = new Map<string, (...args: readonly unknown[]) => void>();
  const tools: Pick<ParleyToolsBridge, 'on'> = {
    on(channel, listener) {
      // The tests send only what the channel carries.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      listeners.set(channel, listener as (...args: readonly unknown[]) => void);
      return () => listeners.delete(channel);
    },
  };
  const note = followNotes(tools);
  const send = <C extends keyof ToolsReceived>(channel: C, ...args: ToolsReceived[C]) =>
    listeners.get(channel)?.(...args);
  return { note, send };
}

test('shows no note at first', () => {
  expect(createFollower().note.get()).toBeUndefined();
});

test('shows the file of a saved session, or why it was not saved', () => {
  const { note, send } = createFollower();
  send('saved', { path: '/captures/x.parley.jsonl' });
  expect(note.get()).toEqual({ text: 'This session is saved in', path: '/captures/x.parley.jsonl' });
  send('saved', { error: 'There is no session to save.' });
  expect(note.get()).toEqual({ text: 'There is no session to save.' });
});

test('shows a notice from main', () => {
  const { note, send } = createFollower();
  send('notice', 'The disk is full.');
  expect(note.get()).toEqual({ text: 'The disk is full.' });
});
