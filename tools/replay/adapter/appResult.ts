import { createHash } from 'node:crypto';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { canonicalJson } from '../engine/canonicalJson.ts';
import type { AppSession } from '../engine/appSession.ts';
import { createOutcome } from '../engine/outcome.ts';
import { requirePlain } from './plainAdapter.ts';

/** What comparisons see of an app: its state, and the display when the adapter has one. */
export interface AppView {
  readonly state: unknown;
  readonly display?: unknown;
}

/** Returns the view of a state. */
export const appView = ({ display }: AppAdapter, state: unknown): AppView =>
  display === undefined ? { state } : { state, display: display(state) };

/**
 * Checks that a view is plain data: comparisons would not see anything else.
 * @throws {PlainDataError} with the path of the first value that is not.
 */
export function requirePlainData({ state, display }: AppView): void {
  requirePlain(state, 'state');
  requirePlain(display, 'display');
}

/**
 * Returns `sha256:…` over the canonical JSON of `{frames, state, updates}` of an app's replay. The same capture and adapter give the same hash on
 * every machine and at every speed.
 */
export function hashAppReplay(replay: AppSession): string {
  const text = canonicalJson({ ...createOutcome(replay), state: replay.state });
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
