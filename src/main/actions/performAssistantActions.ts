import {
  assistantSaveRequested,
  assistantTestCancelRequested,
  assistantTestRequested,
  dialogRequested,
} from '#shared/actions/userActions.ts';
import {
  assistantSaveFailed,
  assistantSaved,
  assistantTestFailed,
  assistantTested,
} from '#shared/actions/mainActions.ts';
import type { AssistantResult } from '#shared/protocol/assistantSettings.ts';
import { ASSISTANT_RATE } from '#shared/limits.ts';
import type { Clock } from '#shared/clock.ts';
import { windowOf } from '#shared/window/windows.ts';
import type { Assistant } from '../assistant/createAssistant.ts';
import { createTokenBucket } from '../base/tokenBucket.ts';
import type { Listeners } from '../store/listeners.ts';
import type { MainStore } from '../store/mainStore.ts';
import { privateOf } from '../store/privateContents.ts';
import { answerAction } from './sourceWindow.ts';

interface Options {
  readonly listeners: Listeners;
  readonly store: Pick<MainStore, 'dispatch'>;
  /** `undefined` while another platform is in use: then no window shows its settings. */
  readonly assistant: Pick<Assistant, 'test' | 'save'> | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

const TOO_OFTEN: AssistantResult = {
  kind: 'failed',
  field: null,
  message: 'This was requested too often: wait a few seconds, then try again.',
};

/**
 * Tests and stores the settings of the assistant, when it is requested. The answer goes to the window that is the source. A window has
 * one test at a time: another one, and the dialog that opens again, end it without an answer. Tests and saves are limited (`ASSISTANT_RATE`), because a test
 * says whether a server answers at any address, and a save writes a file.
 */
export function performAssistantActions({ listeners, store, assistant, clock }: Options): void {
  if (assistant === undefined) return;
  const testBucket = createTokenBucket(ASSISTANT_RATE, clock);
  const saveBucket = createTokenBucket(ASSISTANT_RATE, clock);
  const { startListening } = listeners;
  const tests = createTests();
  startListening({
    actionCreator: assistantTestRequested,
    async effect(action) {
      const change = privateOf(action);
      if (change === undefined) return;
      const test = tests.start(windowOf(action));
      const result = testBucket.take(1) ? await assistant.test(change, test.signal) : TOO_OFTEN;
      store.dispatch(result.kind === 'tested' ? assistantTested() : assistantTestFailed());
      if (test.end()) answerAction(action, 'assistantResult', result);
    },
  });
  startListening({
    actionCreator: assistantTestCancelRequested,
    effect: (action) => tests.cancel(windowOf(action)),
  });
  startListening({ actionCreator: dialogRequested, effect: (action) => tests.drop(windowOf(action)) });
  startListening({
    actionCreator: assistantSaveRequested,
    async effect(action) {
      const change = privateOf(action);
      if (change === undefined) return;
      const result = saveBucket.take(1) ? await assistant.save(change) : TOO_OFTEN;
      store.dispatch(result.kind === 'saved' ? assistantSaved() : assistantSaveFailed());
      answerAction(action, 'assistantResult', result);
    },
  });
}

/** Creates the tests that run, by the number of their window. */
function createTests() {
  const running = new Map<number | undefined, AbortController>();
  const cancel = (window: number | undefined) => running.get(window)?.abort();
  const drop = (window: number | undefined) => {
    cancel(window);
    running.delete(window);
  };
  return {
    cancel,
    /** Ends a window's test, which is not answered. */
    drop,
    start(window: number | undefined) {
      drop(window);
      const controller = new AbortController();
      running.set(window, controller);
      return {
        signal: controller.signal,
        /** Returns whether the test was the window's last one. */
        end: () => running.get(window) === controller && running.delete(window),
      };
    },
  };
}
