/**
 * Main's actions: the results of user actions, which main dispatches when the effect is known, and what the devices, the machine and the windows do. The results
 * contain codes, and no text that a person sees. Those of the session are in `sessionActions.ts`.
 */
import { z } from 'zod';
import { preferencesSchema } from '../ipc/preferencesSchema.ts';
import { OUTGOING_CATEGORIES } from '../protocol/outgoing.ts';
import {
  forwarded,
  recorded,
  recordedAndForwarded,
  recordedLater,
  recordedLaterAndForwarded,
  unrecorded,
} from './defineAction.ts';

const count = z.int().nonnegative();
const category = z.enum(OUTGOING_CATEGORIES);
const ofCategory = z.strictObject({ category });

/**
 * Why a sign-in was refused: a rule of the form; another sign-in was in progress; an account was signed in already; the platform gave a reason; it did
 * not answer; the person signed out, or deleted their data, meanwhile; any other failure.
 */
const signInRefusal = z.enum([
  'invalid',
  'busy',
  'signedIn',
  'refusedByPlatform',
  'unreachable',
  'cancelled',
  'failed',
]);
export type SignInRefusal = z.infer<typeof signInRefusal>;

export const signInAccepted = recorded(
  'signIn/accepted',
  'messenger: the platform gave an account identifier',
);
export const signInRefused = recorded('signIn/refused', 'messenger', {
  payload: z.strictObject({ code: signInRefusal }),
  codes: ['code'],
});

/** The platform gave an account identifier. */
export const signedIn = unrecorded(
  'account/signedIn',
  'messenger. Contains the account identifier, which is never recorded',
  { payload: z.strictObject({ id: z.string(), platform: z.string() }), changes: ['account'] },
);
/** The person or the platform (`unauthorized`) signed the account out. */
export const signedOut = unrecorded('account/signedOut', 'messenger', { changes: ['account'] });

/** A message was sent on the open socket (spec §4.2). The content is only in the frame. */
export const messageSent = recorded('message/sent', 'session', {
  payload: ofCategory,
  changes: ['counts'],
  codes: ['category'],
});
/** A message was not sent because the socket was not open; nothing is shown (spec §7). */
export const messageDropped = recorded(
  'message/dropped',
  'session: the socket is not open, or the platform does not read',
  { payload: ofCategory, changes: ['counts'], codes: ['category'] },
);
/** A message was refused before the socket: it is over the limits of spec §8, or no account is signed in. */
export const messageRefused = recorded('message/refused', 'messenger: over the limits, or signed out', {
  payload: z.strictObject({ category, reason: z.enum(['overLimits', 'signedOut']) }),
  codes: ['category', 'reason'],
});

/** The session's records were saved in a file. */
export const sessionSaved = recorded('session/saved', 'a listener of `session/saveRequested`');
export const sessionSaveFailed = recorded('session/saveFailed', 'a listener of `session/saveRequested`');
/** The frames of the failed start were saved in a file. */
export const startSaved = recorded('start/saved', 'a listener of `start/saveRequested`');
export const startSaveFailed = recorded('start/saveFailed', 'a listener of `start/saveRequested`');
export const diagnosticsCopied = recorded('diagnostics/copied', 'a listener of `diagnostics/copyRequested`');
export const diagnosticsCopyFailed = recorded(
  'diagnostics/copyFailed',
  'a listener of `diagnostics/copyRequested`',
);
/** A test of the assistant's settings succeeded; it failed; the settings were stored; they were not. */
export const assistantTested = recordedLater('assistant/tested', 'a listener of `assistant/testRequested`');
export const assistantTestFailed = recordedLater(
  'assistant/testFailed',
  'a listener of `assistant/testRequested`',
);
export const assistantSaved = recordedLater('assistant/saved', 'a listener of `assistant/saveRequested`');
export const assistantSaveFailed = recordedLater(
  'assistant/saveFailed',
  'a listener of `assistant/saveRequested`',
);
/** The deletion of the person's data has ended. The window's note says whether something is left. Stays in main. */
export const dataDeleted = recorded('data/deleted', 'a listener of `data/deletionRequested`', {
  changes: ['windows'],
});
/**
 * A download of a page ended: its file is written, the person cancelled it, or it could not be written. A browser does not tell the web host, which has no such
 * action.
 */
export const downloadEnded = recordedLater('download/ended', 'main: Electron’s download has ended', {
  payload: z.strictObject({ outcome: z.enum(['completed', 'cancelled', 'interrupted']) }),
  codes: ['outcome'],
});
/** The inspector's window was opened, or brought to the front. */
export const inspectorShown = recorded('inspector/shown', 'a listener of `inspector/requested`');

const playback = z
  .object({
    /** The message's id, which is sent on the `playback` channel. */
    id: z.string(),
    message: count,
    item: count,
  })
  .readonly();
/** The current playback: the place of its sound. */
export type Playback = z.infer<typeof playback>;

const ofAudio = { changes: ['audio'] };
export const audioStarted = recordedAndForwarded('audio/started', 'audio module', ofAudio);
export const audioStopped = recordedAndForwarded('audio/stopped', 'audio module', ofAudio);
export const recordingStarted = recordedAndForwarded('audio/recordingStarted', 'audio module', ofAudio);
export const recordingStopped = recordedAndForwarded('audio/recordingStopped', 'audio module', ofAudio);
export const recordingCancelled = recordedAndForwarded('audio/recordingCancelled', 'audio module', ofAudio);
export const playbackStarted = recordedAndForwarded('audio/playbackStarted', 'audio module', {
  ...ofAudio,
  payload: playback,
});
export const playbackEnded = recordedAndForwarded('audio/playbackEnded', 'audio module', ofAudio);
export const playbackCancelled = recordedAndForwarded('audio/playbackCancelled', 'audio module', ofAudio);

/** The program has started and read the stored preferences and the environment, which overrides stored ones (contract §2). */
export const preferencesLoaded = recordedLaterAndForwarded(
  'preferences/loaded',
  'main, at the start, and after *Delete my data*',
  {
    payload: z.object({ stored: preferencesSchema, environment: preferencesSchema }),
    changes: ['preferences'],
    codes: ['theme'],
  },
);

const ofAttention = { changes: ['attention'] };
/** A visible messenger window has the focus. Stays in main. */
export const attentionGained = recordedLater(
  'attention/gained',
  'main: a visible window has the focus',
  ofAttention,
);
/** No visible messenger window has the focus. Stays in main. */
export const attentionLost = recordedLater(
  'attention/lost',
  'main: no visible window has the focus',
  ofAttention,
);

/** An action about the window with a number. It stays in main. */
const ofWindow = {
  payload: z.object({ number: count }),
  prepare: (number: number) => ({ number }),
  changes: ['windows'],
};
export const windowOpened = recordedLater('window/opened', 'main', ofWindow);
export const windowShown = recordedLater('window/shown', 'main', ofWindow);
/** The window was closed into the tray. */
export const windowHidden = recordedLater('window/hidden', 'main', ofWindow);
export const windowFocused = recordedLater('window/focused', 'main', ofWindow);
export const windowBlurred = recordedLater('window/blurred', 'main', ofWindow);
export const windowMinimized = recordedLater('window/minimized', 'main', ofWindow);
export const windowRestored = recordedLater('window/restored', 'main', ofWindow);
export const windowClosed = recordedLater('window/closed', 'main', ofWindow);

/** What main says to the person in every window. It is not recorded: what the windows show because of it is. */
const ofNotices = { changes: ['notices'] };
/** An account was read or stored, or `false`: none is. `account` is the mark by which a page recognizes the texts that it has stored for the account. */
export const accountChanged = forwarded('account/changed', 'messenger. Does not contain the identifier', {
  ...ofNotices,
  payload: z.strictObject({
    account: z.union([z.string(), z.literal(false)]),
    /** Why the platform signed the account out. */
    reason: z.string().nullable(),
  }),
});
/** The session is not launched, because earlier starts failed. */
export const startFailed = forwarded('start/failed', 'messenger', {
  ...ofNotices,
  payload: z.strictObject({ canSave: z.boolean() }),
});
/** A notice for the person, until a window has shown it, or until a person dismisses it. */
export const noticeRaised = forwarded('notices/raised', 'main', {
  ...ofNotices,
  payload: z.strictObject({ text: z.string(), until: z.enum(['shown', 'dismissed']) }),
});
/** The notice with this number was shown or dismissed in a window: windows that open later do not show it. */
export const noticeSeen = forwarded('notices/seen', 'main: a window has shown it, or a person dismissed it', {
  ...ofNotices,
  payload: z.strictObject({ id: count }),
});
const part = z.enum(['log', 'recording']);
/** A part that pauses while its file cannot be written. */
export type PausedPart = z.infer<typeof part>;
const ofPart = { ...ofNotices, payload: z.strictObject({ part }) };
/** The part's file cannot be written, which the notice says; the part tries again by itself. */
export const writingPaused = forwarded('writing/paused', 'main', {
  ...ofNotices,
  payload: z.strictObject({ part, text: z.string() }),
});
export const writingResumed = forwarded('writing/resumed', 'main', ofPart);
/** The part has ended, whether it was written or not. */
export const writingEnded = forwarded('writing/ended', 'main', ofPart);
/** The deletion of the person's data has ended, with the result as a sentence: what the windows show of it is deleted too. */
export const deletionAnnounced = forwarded(
  'notices/deletionAnnounced',
  'a listener of `data/deletionRequested`',
  {
    ...ofNotices,
    payload: z.strictObject({ text: z.string() }),
  },
);
