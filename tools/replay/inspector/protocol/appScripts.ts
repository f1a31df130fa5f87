/** The global variables of a script of another app. */
export interface ScriptScope {
  /** What its module exports. */
  readonly loaded: 'replayAdapter' | 'replayPane';
  /** The exception that it threw when it was loaded. */
  readonly failure: 'replayAdapterFailure' | 'replayPaneFailure';
  /** The name that stacks give the script, when it is not a part of another one. */
  readonly script?: string;
}

/** The variables of the script with the adapter, which precedes that of the worker. */
export const ADAPTER_SCOPE: ScriptScope = { loaded: 'replayAdapter', failure: 'replayAdapterFailure' };

/** The variables of the script with the pane, which precedes that of the page. */
export const PANE_SCOPE: ScriptScope = {
  loaded: 'replayPane',
  failure: 'replayPaneFailure',
  script: 'pane.js',
};

/**
 * Returns what the script of an app exports; `undefined` when the page has no such script.
 * @throws what the script threw when it was loaded.
 */
export function appExports(scope: ScriptScope): unknown {
  const failure: unknown = Reflect.get(globalThis, scope.failure);
  if (failure !== undefined) throw failure;
  return Reflect.get(globalThis, scope.loaded);
}
