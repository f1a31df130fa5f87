import type { AppAdapter } from '../../engine/appAdapter.ts';
import { type ReplayCode, appCode } from '../../engine/code.ts';
import { createAppEngine } from '../../engine/createAppEngine.ts';
import { createFold } from '../../engine/createFold.ts';
import type { Engine, Limits } from '../../engine/replay.ts';
import { frozenAdapter, frozenCode } from './frozenCode.ts';

interface Options extends Limits {
  /** Is called after each update. */
  readonly onStep: () => void;
}

/** A reducer's call on a state whose mutation is visible. */
interface Examined<T> {
  /** Returns a copy of the state. */
  readonly copy: () => unknown;
  readonly reduce: () => T;
}

/** Is called for each reducer's call: makes the call, or examines it. */
export type Around = <T>(call: () => T, examined: () => Examined<T>) => T;

/** Replayed code of which mutations are found. */
export interface ExaminedCode {
  /** Creates an engine whose states are frozen. */
  frozen(options: Options): Engine<unknown>;
  /** Creates an engine whose states are not frozen, and which calls `around` for each reducer. */
  watched(around: Around, options: Options): Engine<unknown>;
}

/** Examines Parley's code, with the fold. */
export const examinedCode = (code: ReplayCode = appCode): ExaminedCode => ({
  frozen: (options) => createFold({ ...options, code: frozenCode(code) }),
  watched: (around, options) => {
    const applyUpdate: ReplayCode['applyUpdate'] = (conversation, update) => {
      const reduce = () => code.applyUpdate(conversation, update);
      const copy = () => structuredClone([code.toSnapshot(conversation), conversation]);
      return around(reduce, () => ({ copy, reduce }));
    };
    return createFold({ ...options, code: { ...code, applyUpdate } });
  },
});

/** Examines the adapter of another app. */
export const examinedAdapter = (adapter: AppAdapter): ExaminedCode => ({
  frozen: (options) => createAppEngine(frozenAdapter(adapter), options),
  watched: (around, options) =>
    createAppEngine(
      {
        ...adapter,
        reduce: (state, update) =>
          around(
            () => adapter.reduce(state, update),
            () => {
              // The app itself may freeze its states.
              const thawed = structuredClone(state);
              return {
                copy: () => structuredClone([{ state: thawed }]),
                reduce: () => adapter.reduce(thawed, update),
              };
            },
          ),
      },
      options,
    ),
});
