/**
 * The results of acts that change no slice: main dispatches them when the effect is known. They contain codes, and no text that a person
 * sees. The results that change a slice are with the slice: `messageSent`, `recordingStarted`, `windowMinimized`, `sessionEnded`, ….
 */
import { createAction } from '@reduxjs/toolkit';
import type { Outgoing } from '../protocol/outgoing.ts';
import { createLocalAction, local } from '../store/local.ts';

/**
 * Why a sign-in was refused: a rule of the form; another sign-in was in progress; an account was signed in already; the platform gave a reason; it did
 * not answer; the person signed out, or deleted their data, meanwhile; any other failure.
 */
export type SignInRefusal =
  | 'invalid'
  | 'busy'
  | 'signedIn'
  | 'refusedByPlatform'
  | 'unreachable'
  | 'cancelled'
  | 'failed';

export const signInAccepted = createLocalAction('signIn/accepted');
export const signInRefused = createAction('signIn/refused', (refusal: { readonly code: SignInRefusal }) =>
  local(refusal),
);

/** A message was refused before the socket: it is over the limits of spec §8, or no account is signed in. */
export const messageRefused = createAction(
  'message/refused',
  (refusal: { readonly category: Outgoing['category']; readonly reason: 'overLimits' | 'signedOut' }) =>
    local(refusal),
);

/** The session's records were saved in a file. */
export const sessionSaved = createLocalAction('session/saved');
export const sessionSaveFailed = createLocalAction('session/saveFailed');
/** The frames of the failed start were saved in a file. */
export const startSaved = createLocalAction('start/saved');
export const startSaveFailed = createLocalAction('start/saveFailed');
export const diagnosticsCopied = createLocalAction('diagnostics/copied');
export const diagnosticsCopyFailed = createLocalAction('diagnostics/copyFailed');
/** A test of the assistant's settings succeeded; it failed; the settings were stored; they were not. */
export const assistantTested = createLocalAction('assistant/tested');
export const assistantTestFailed = createLocalAction('assistant/testFailed');
export const assistantSaved = createLocalAction('assistant/saved');
export const assistantSaveFailed = createLocalAction('assistant/saveFailed');
/** The inspector's window was opened, or brought to the front. */
export const inspectorShown = createLocalAction('inspector/shown');
