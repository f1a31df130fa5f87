import type { BranchKind } from './findBranches.ts';

/** The sources that a replay runs. The bundler omits what a replay does not import. */
const REPLAYED = /^src\/shared\//;

/** Sources that read captures, name the recorded actions, and make actions; Parley's adapter, and the clock of tests, which the app does not have. */
const OMITTED =
  /^src\/shared\/(?:capture\/(?:format|parse|upgrade)|actions\/|replay\/|clip|errorCode|pluralize|store\/outgoing|time\/virtualClock|window\/(?:file|limitText|payloads)\.)/;

/**
 * The line of a function that makes actions. Windows and main call it; a capture contains the actions as they were made, so no replay calls
 * it.
 */
const MAKES_ACTIONS =
  /^(?:prepare: |const (?:known|limited|limitError) = |export const \w+ = createAction\('attention\/)/;

/** A branch that the type checker has proved unreachable. */
const UNREACHABLE = /\bsatisfies never\b/;

/** Returns whether a replay can reach a branch of these sources. */
export const isReplayed = ({ file, text }: { readonly file: string; readonly text: string }): boolean =>
  REPLAYED.test(file) && !OMITTED.test(file) && !UNREACHABLE.test(text);

/** Returns whether a branch is a function that makes actions: its own branches are no part of a replay either. */
export const makesActions = ({ kind, text }: { readonly kind: BranchKind; readonly text: string }): boolean =>
  kind === 'function' && MAKES_ACTIONS.test(text);
