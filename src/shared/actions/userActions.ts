/**
 * The user actions: what a person (or a page for them) requests. Main dispatches a user action before its effect, whatever its source: a window, a key, a
 * menu, the tray, a shortcut, another start of the program. A listener in `src/main/acts` performs the effect; its result is an action of main.
 */
import { z } from 'zod';
import type { AssistantChange } from '../ipc/assistant.ts';
import { preferencesSchema } from '../ipc/preferencesSchema.ts';
import type { Credentials } from '../protocol/credentials.ts';
import { OUTGOING_CATEGORIES, type Outgoing, contentLength } from '../protocol/outgoing.ts';
import { recorded, recordedAndForwarded, recordedLater, unrecorded } from './defineAction.ts';

const count = z.int().nonnegative();

/** The credentials of a sign-in, and the function that answers it: the error text, or `undefined` on success. */
interface SignIn {
  readonly credentials: Credentials;
  readonly answer: (error: Promise<string | undefined>) => void;
}

/** Credentials were submitted. */
export const signInRequested = recorded('signIn/requested', 'channel `auth`', {
  isPrivate: true,
  prepare: (contents: SignIn) => void contents,
});
export const logOutRequested = recorded('logOut/requested', 'channel `logout`; menu; tray');

/** A message was to be sent. Its content is only in `meta.private` and the sent frame; `length` as in `contentLength`. */
export const messageRequested = recorded('message/requested', 'channel `message`', {
  isPrivate: true,
  payload: z.strictObject({ category: z.enum(OUTGOING_CATEGORIES), length: count }),
  prepare: (outgoing: Outgoing) => ({ category: outgoing.category, length: contentLength(outgoing) }),
  codes: ['category'],
});
/** A page requested the current snapshot. */
export const snapshotRequested = unrecorded('snapshot/requested', 'channel `messenger`');
/** The bytes of a file, and the function that answers them as base64. */
interface Encoding {
  readonly bytes: ArrayBuffer;
  readonly answer: (base64: string) => void;
}

/** A page requested the encoding of a file as base64; `bytes` is its size. */
export const encodingRequested = unrecorded('encoding/requested', 'channel `encode`', {
  isPrivate: true,
  payload: z.strictObject({ bytes: count }),
  prepare: ({ bytes }: Encoding) => ({ bytes: bytes.byteLength }),
});

/** The person requested a reconnect after a close with a reason. */
export const connectionRequested = recordedAndForwarded('connection/requested', 'channel `reconnect`; menu', {
  changes: ['connection'],
});

/** A recording was to be started, or the current one stopped. */
export const recordingToggleRequested = recorded(
  'recording/toggleRequested',
  'channel `toggleRecording`; shortcut',
);
export const playbackRequested = recorded('playback/requested', 'channel `play`', {
  payload: z.strictObject({ message: count, item: count }),
});
export const playbackStopRequested = recorded('playback/stopRequested', 'channel `stopPlayback`');

/** A person has changed preferences. Those that the environment sets stay. */
export const preferencesChanged = recordedAndForwarded('preferences/changed', 'channel `setPreference`', {
  payload: preferencesSchema.describe('some of the preferences'),
  changes: ['preferences'],
  codes: ['theme'],
});

export const windowOpenRequested = recorded(
  'window/openRequested',
  'menu; a new tab; the start of the program',
);
/** A window was to be brought to the front. */
export const windowShowRequested = recorded(
  'window/showRequested',
  'tray; a notification; another start of the program; the dock',
);
export const windowMinimizeRequested = recorded('window/minimizeRequested', 'channel `nav`');
export const windowCloseRequested = recorded('window/closeRequested', 'channel `nav`');
/** The page of a window was to be shown larger, smaller or in its own size. */
export const windowZoomRequested = recorded(
  'window/zoomRequested',
  'channels `zoomIn`, `zoomOut`, `resetZoom`',
  { payload: z.strictObject({ zoom: z.enum(['in', 'out', 'reset']) }), codes: ['zoom'] },
);
export const quitRequested = recorded('app/quitRequested', 'menu; tray');

export const sessionSaveRequested = recorded('session/saveRequested', 'channel `saveSession`; menu; tray');
export const inspectorRequested = recorded('inspector/requested', 'channel `inspectSession`; menu; tray');
export const dialogRequested = recorded(
  'dialog/requested',
  'channels `openSettings`, `openAssistant`, `openAbout`, `openDeleteData`, `openExport`, `openPrint`; menu',
  {
    payload: z.strictObject({
      dialog: z.enum(['settings', 'assistant', 'about', 'deleteData', 'export', 'print', 'find']),
    }),
    codes: ['dialog'],
  },
);
export const diagnosticsCopyRequested = recorded(
  'diagnostics/copyRequested',
  'channel `copyDiagnostics`; menu',
);
export const dataDeletionRequested = recorded('data/deletionRequested', 'channel `deleteData`', {
  payload: z.strictObject({ platformFile: z.boolean() }),
});

/** Settings of the assistant were to be tested; `null`: those in use. */
export const assistantTestRequested = recordedLater(
  'assistant/testRequested',
  'channel `testAssistant`. Contains none of the settings',
  { isPrivate: true, prepare: (contents: AssistantChange | null) => void contents },
);
/** The window's test was to be ended. */
export const assistantTestCancelRequested = recordedLater(
  'assistant/testCancelRequested',
  'channel `cancelAssistantTest`',
);
/** Settings of the assistant were to be stored; `null`: the demonstration was to be used. */
export const assistantSaveRequested = recordedLater(
  'assistant/saveRequested',
  'channel `saveAssistant`. Contains none of the settings',
  {
    isPrivate: true,
    payload: z.strictObject({ isDemonstration: z.boolean() }),
    prepare: (change: AssistantChange | null) => ({ isDemonstration: change === null }),
  },
);

/** The session that was not launched after failed starts was to be launched. */
export const startRetryRequested = recorded('start/retryRequested', 'channel `tryAgain`');
/** The frames of the failed start were to be saved. */
export const startSaveRequested = recorded('start/saveRequested', 'channel `saveReceived`');
