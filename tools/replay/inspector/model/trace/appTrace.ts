import { plainAdapter } from '../../../adapter/plainAdapter.ts';
import type { AppAdapter } from '../../../engine/appAdapter.ts';

/** What a trace of another app has, besides its steps. */
export interface AppTrace {
  readonly adapter: AppAdapter;
  /** The state after every {@link CHECKPOINT_STEPS} steps. */
  readonly checkpoints: unknown[];
  /** The kinds of its updates, in the order of their numbers. */
  readonly kinds: string[];
  /** The exceptions of the adapter's functions, by step: their stacks. */
  readonly failures: Map<number, string>;
}

/** The number of steps between two stored states. */
export const CHECKPOINT_STEPS = 256;

/** Creates the app's part of an empty trace. */
export const emptyAppTrace = (adapter: AppAdapter): AppTrace => ({
  adapter: plainAdapter(adapter),
  checkpoints: [],
  kinds: [],
  failures: new Map(),
});
