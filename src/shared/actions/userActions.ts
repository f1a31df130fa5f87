/**
 * The user actions: what a person (or a page for them) requests. Main dispatches a user action before its effect, whatever its source: a window, a key, a
 * menu, the tray, a shortcut, another start of the program. A listener in `src/main/actions` performs the effect; its result is an action of main.
 */
import { z } from 'zod';
import { ASSISTANT_NAME_LENGTH } from '../limits.ts';
import { assistantChange } from '../protocol/assistantSettings.ts';
import { preferencesSchema } from '../ipc/preferencesSchema.ts';
import type { Credentials } from '../protocol/credentials.ts';
import { OUTGOING_CATEGORIES, contentLength, outgoingSchema } from '../protocol/outgoing.ts';
import { recorded, recordedAndForwarded, recordedLater, unrecorded } from './defineAction.ts';

const count = z.int().nonnegative();

/** The credentials of a sign-in, and the function that answers it: the error text, or `undefined` on success. */
interface SignIn {
  readonly credentials: Credentials;
  readonly answer: (error: Promise<string | undefined>) => void;
}

/** Credentials were submitted. */
export const signInRequested = recorded('signIn/requested', 'channel `auth`', {
  private: z.custom<SignIn>(),
  prepare: (contents) => void contents,
});
export const logOutRequested = recorded('logOut/requested', 'channel `logout`; menu; tray');

/** A message was to be sent. Its content is only in `meta.private` and the sent frame; `length` as in `contentLength`. */
export const messageRequested = recorded('message/requested', 'channel `message`', {
  private: outgoingSchema,
  payload: z.strictObject({ category: z.enum(OUTGOING_CATEGORIES), length: count }),
  prepare: (outgoing) => ({ category: outgoing.category, length: contentLength(outgoing) }),
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
  private: z.custom<Encoding>(),
  payload: z.strictObject({ bytes: count }),
  prepare: ({ bytes }) => ({ bytes: bytes.byteLength }),
});

/** The person requested a reconnect after a close with a reason. */
export const connectionRequested = recordedAndForwarded('connection/requested', 'window; menu', {
  changes: ['connection'],
  fromWindow: true,
});

/** A recording was to be started, or the current one stopped. */
export const recordingToggleRequested = recorded('recording/toggleRequested', 'window; shortcut', {
  fromWindow: true,
});
export const playbackRequested = recorded('playback/requested', 'window', {
  payload: z.strictObject({ message: count, item: count }),
  fromWindow: true,
});
export const playbackStopRequested = recorded('playback/stopRequested', 'window', { fromWindow: true });

/** Of the recording or the playback with this number. */
const ofNumber = { payload: z.strictObject({ number: count }), fromWindow: true } as const;
/** The recording failed; the window has shown the reason. */
export const recordingFailed = unrecorded('recording/failed', 'window that records', ofNumber);
/** The window has played audio of the playback (spec §3.3). */
export const audioWritten = unrecorded('playback/audioWritten', 'window that plays', ofNumber);
/** The playback failed; the window has shown the reason. */
export const playbackFailed = unrecorded('playback/failed', 'window that plays', ofNumber);

/** A person has changed preferences. Those that the environment sets stay. */
export const preferencesChanged = recordedAndForwarded('preferences/changed', 'window', {
  payload: preferencesSchema.describe('some of the preferences'),
  changes: ['preferences'],
  codes: ['theme'],
  fromWindow: true,
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
export const windowZoomRequested = recorded('window/zoomRequested', 'window', {
  payload: z.strictObject({ zoom: z.enum(['in', 'out', 'reset']) }),
  codes: ['zoom'],
  fromWindow: true,
});
export const quitRequested = recorded('app/quitRequested', 'menu; tray');

/** Its result is answered on `saved`. */
export const sessionSaveRequested = recorded('session/saveRequested', 'window; menu; tray', {
  fromWindow: true,
});
export const inspectorRequested = recorded('inspector/requested', 'window; menu; tray', { fromWindow: true });
/** A dialog or the menu of the models was to be shown, the conversation printed, or the find bar opened: answered on the channel of that name. */
export const dialogRequested = recorded('dialog/requested', 'window; menu', {
  payload: z.strictObject({
    dialog: z.enum(['settings', 'assistant', 'models', 'about', 'deleteData', 'export', 'print', 'find']),
  }),
  codes: ['dialog'],
  fromWindow: true,
});
/** Answered on `diagnosticsCopied`. */
export const diagnosticsCopyRequested = recorded('diagnostics/copyRequested', 'window; menu', {
  fromWindow: true,
});
/** The person confirmed that their data is deleted; `platformFile`: also the built-in platform's file, with every account and its conversation. */
export const dataDeletionRequested = recorded('data/deletionRequested', 'window', {
  payload: z.strictObject({ platformFile: z.boolean() }),
  fromWindow: true,
});

/** Settings of the assistant were to be tested; `null`: those in use. Answered on `assistantResult`. */
export const assistantTestRequested = recordedLater(
  'assistant/testRequested',
  'window. Contains none of the settings',
  { private: assistantChange.nullable(), prepare: (change) => void change, fromWindow: true },
);
/** The window's test was to be ended. */
export const assistantTestCancelRequested = recordedLater('assistant/testCancelRequested', 'window', {
  fromWindow: true,
});
/** Settings of the assistant were to be stored; `null`: the demonstration was to be used. Answered on `assistantResult`. */
export const assistantSaveRequested = recordedLater(
  'assistant/saveRequested',
  'window. Contains none of the settings',
  {
    private: assistantChange.nullable(),
    payload: z.strictObject({ isDemonstration: z.boolean() }),
    prepare: (change) => ({ isDemonstration: change === null }),
    fromWindow: true,
  },
);

/** A model of the server in use was to be the model of the next answers. Answered on `assistantResult`. */
export const assistantModelRequested = recordedLater(
  'assistant/modelRequested',
  'menu of the models. Does not contain the name',
  {
    private: z.string().min(1).max(ASSISTANT_NAME_LENGTH),
    prepare: (model) => void model,
    fromWindow: true,
  },
);

/** The session that was not launched after failed starts was to be launched. */
export const startRetryRequested = recorded('start/retryRequested', 'window', { fromWindow: true });
/** The frames of the failed start were to be saved: answered on `saved`. */
export const startSaveRequested = recorded('start/saveRequested', 'window', { fromWindow: true });
