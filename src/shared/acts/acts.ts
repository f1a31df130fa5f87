/**
 * The acts: what a person (or a page for them) requests. Main dispatches an act before its effect, whatever its source: a channel, a key, a
 * menu, the tray, a shortcut, another start of the program. A listener in `src/main/acts` performs the effect; its result is a fact. Two acts
 * are in the slices that they change: `connectionRequested` and `preferencesChanged`. docs/actions.md lists all actions.
 */
import { createAction } from '@reduxjs/toolkit';
import type { ItemPlace } from '../conversation/sounds.ts';
import type { DeletionChoice } from '../ipc/tools.ts';
import { type Outgoing, contentLength } from '../protocol/outgoing.ts';
import { createLocalAction, local } from '../store/local.ts';

/** Credentials were submitted. They are in no action. */
export const signInRequested = createLocalAction('signIn/requested');
export const logOutRequested = createLocalAction('logOut/requested');

/** A message was to be sent. Its content is only in the sent frame; `length` as in `contentLength`. */
export const messageRequested = createAction('message/requested', (outgoing: Outgoing) =>
  local({ category: outgoing.category, length: contentLength(outgoing) }),
);
/** A page requested the current snapshot. */
export const snapshotRequested = createLocalAction('snapshot/requested');
/** A page requested the encoding of a file as base64; `bytes` is its size. */
export const encodingRequested = createAction('encoding/requested', (size: { readonly bytes: number }) =>
  local(size),
);

/** A recording was to be started, or the current one stopped. */
export const recordingToggleRequested = createLocalAction('recording/toggleRequested');
export const playbackRequested = createAction('playback/requested', (place: ItemPlace) => local(place));
export const playbackStopRequested = createLocalAction('playback/stopRequested');

export const windowOpenRequested = createLocalAction('window/openRequested');
/** A window was to be brought to the front. */
export const windowShowRequested = createLocalAction('window/showRequested');
export const windowMinimizeRequested = createLocalAction('window/minimizeRequested');
export const windowCloseRequested = createLocalAction('window/closeRequested');
/** The page of a window was to be shown larger, smaller or in its own size. */
export const windowZoomRequested = createAction(
  'window/zoomRequested',
  (request: { readonly zoom: 'in' | 'out' | 'reset' }) => local(request),
);
export const quitRequested = createLocalAction('app/quitRequested');

export const sessionSaveRequested = createLocalAction('session/saveRequested');
export const inspectorRequested = createLocalAction('inspector/requested');
export const dialogRequested = createAction(
  'dialog/requested',
  (request: {
    readonly dialog: 'settings' | 'assistant' | 'about' | 'deleteData' | 'export' | 'print' | 'find';
  }) => local(request),
);
export const diagnosticsCopyRequested = createLocalAction('diagnostics/copyRequested');
export const dataDeletionRequested = createAction('data/deletionRequested', (choice: DeletionChoice) =>
  local(choice),
);

/** Settings of the assistant were to be tested. They are in no action. */
export const assistantTestRequested = createLocalAction('assistant/testRequested');
/** The window's test was to be ended. */
export const assistantTestCancelRequested = createLocalAction('assistant/testCancelRequested');
/** Settings of the assistant were to be stored, or the demonstration was to be used. The settings are in no action. */
export const assistantSaveRequested = createAction(
  'assistant/saveRequested',
  (choice: { readonly isDemonstration: boolean }) => local(choice),
);

/** The session that was not launched after failed starts was to be launched. */
export const startRetryRequested = createLocalAction('start/retryRequested');
/** The frames of the failed start were to be saved. */
export const startSaveRequested = createLocalAction('start/saveRequested');
