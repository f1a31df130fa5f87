import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as user from '#shared/actions/userActions.ts';
import type { AssistantChange, AssistantResult } from '#shared/protocol/assistantSettings.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { markSource } from '../ipc/receiveActions.ts';
import { changes } from '#tests/builders/changes.ts';

const CHANGE: AssistantChange = {
  url: 'http://a-secret',
  model: null,
  prompt: null,
  key: 'sk-secret',
  keepsKey: false,
};
const FAILED: AssistantResult = { kind: 'failed', field: null, message: 'Wrong key.' };

/** The answers that windows get, by their number. */
let answers: [window: unknown, result: unknown][] = [];
/** Who answers, as all windows were told. */
let inUse: unknown[] = [];
const { changed, until: untilTrue } = changes();
const told = (add: () => unknown): void => {
  add();
  changed();
};
/** Resolves when a list has this length. */
const until = (list: () => readonly unknown[], length: number) => untilTrue(() => list().length >= length);
beforeEach(() => {
  answers = [];
  inUse = [];
});

// Later test files share the process.
afterEach(() => vi.doUnmock('../window/messengerWindows.ts'));

/** Starts the listeners with an assistant whose tests end when they are aborted, or when `finish` gives their results. */
async function start(model: string | null = 'm') {
  let chosen = model;
  const { store, listeners, kept, clock } = await mainStore();
  vi.doMock('../window/messengerWindows.ts', () => ({
    answerAction: (act: { meta: { window: number } }, _channel: string, result: unknown) =>
      told(() => answers.push([act.meta.window, result])),
    sendToolsToAll: (_channel: string, now: unknown) => told(() => inUse.push(now)),
  }));
  const { performAssistantActions } = await import('./performDialogActions.ts');
  const types: string[] = [];
  listeners.startListening({ predicate: () => true, effect: ({ type }) => void types.push(type) });
  const results = new EventEmitter();
  const aborted: (AssistantChange | null)[] = [];
  performAssistantActions({
    listeners,
    store,
    clock,
    assistant: {
      async test(change, signal) {
        const result: AssistantResult = await Promise.race([
          once(results, 'tested').then(() => ({ kind: 'tested', model: 'm', models: [] }) as const),
          once(signal, 'abort').then(() => FAILED),
        ]);
        if (signal.aborted) told(() => aborted.push(change));
        return result;
      },
      save: async (change) => (change === null ? FAILED : { kind: 'saved' }),
      async models({ aborted: isAborted }) {
        await Promise.resolve();
        chosen ??= 'first';
        return isAborted ? FAILED : { kind: 'tested', model: chosen, models: ['m', 'n'] };
      },
      async chooseModel(name) {
        if (name === 'unknown') return FAILED;
        chosen = name;
        return { kind: 'chosen' };
      },
      inUse: () => ({ isDemonstration: false, model: chosen }),
    },
  });
  return {
    types,
    aborted,
    kept,
    clock,
    requestTest: (window: number, change: AssistantChange | null = CHANGE) =>
      store.dispatch(markSource(user.assistantTestRequested(change), window)),
    cancel: (window: number) => store.dispatch(markSource(user.assistantTestCancelRequested(), window)),
    open: (window: number, dialog: 'assistant' | 'models' = 'assistant') =>
      store.dispatch(markSource(user.dialogRequested({ dialog }), window)),
    choose: (name: string) => store.dispatch(markSource(user.assistantModelRequested(name), 1)),
    finish: () => results.emit('tested'),
  };
}

test('answers the windows that requested a test, after an action without the settings, and cancels the test of one only', async () => {
  const { requestTest, cancel, finish, types } = await start();
  requestTest(1);
  requestTest(2);
  cancel(1);
  await until(() => answers, 1);
  expect(answers).toEqual([[1, FAILED]]);
  finish();
  await until(() => answers, 2);
  expect(answers[1]).toEqual([2, { kind: 'tested', model: 'm', models: [] }]);
  const after = ['testRequested', 'testRequested', 'testCancelRequested', 'testFailed', 'tested'];
  expect(types).toEqual(after.map((type) => `assistant/${type}`));
});

test('ends a test without an answer when the window requests another one, or opens the dialog again', async () => {
  const { requestTest, aborted, open } = await start();
  requestTest(1);
  requestTest(1, null);
  await until(() => aborted, 1);
  expect(aborted).toEqual([CHANGE]);
  open(1);
  await until(() => aborted, 2);
  expect(aborted).toEqual([CHANGE, null]);
  expect(answers).toEqual([]);
});

test('lists the models for their menu, but not after another dialog was opened', async () => {
  const { open } = await start();
  open(2, 'models');
  await until(() => answers, 1);
  expect(answers).toEqual([[2, { kind: 'tested', model: 'm', models: ['m', 'n'] }]]);
  answers = [];
  open(1, 'models');
  open(1);
  open(2, 'models');
  await until(() => answers, 1);
  expect(answers).toMatchObject([[2, { kind: 'tested' }]]);
});

test('requests the name of the model at the start when none is set, and tells it to all windows', async () => {
  await start(null);
  await until(() => inUse, 1);
  expect(inUse).toEqual([{ isDemonstration: false, model: 'first' }]);
});

test('chooses a model, tells it to all windows before the answer, and has its name in no action', async () => {
  const { choose, types, kept } = await start();
  choose('a-secret');
  await until(() => answers, 1);
  expect(answers).toEqual([[1, { kind: 'chosen' }]]);
  expect(inUse.at(-1)).toEqual({ isDemonstration: false, model: 'a-secret' });
  choose('unknown');
  await until(() => answers, 2);
  expect(answers[1]).toEqual([1, FAILED]);
  expect(types).toEqual([
    'assistant/modelRequested',
    'assistant/saved',
    'assistant/modelRequested',
    'assistant/saveFailed',
  ]);
  expect(kept.text()).not.toContain('a-secret');
});
