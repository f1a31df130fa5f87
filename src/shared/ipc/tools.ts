import type { ItemPlace } from '../conversation/sounds.ts';
import type { Preferences } from './preferencesSchema.ts';
import type { AssistantChange, AssistantDialogData, AssistantResult, AssistantSummary } from './assistant.ts';

/** The channels that Parley adds to the specification's (docs/adr/0005): window to main, without an answer. */
export interface ToolsSent {
  /** Reconnects after a close with a reason, which is not retried automatically. */
  readonly reconnect: readonly [];
  /** Saves the session's records in memory as a capture; answered on `saved`. */
  readonly saveSession: readonly [];
  /** Opens the inspector's window, which follows the session. */
  readonly inspectSession: readonly [];
  /** Opens the conversation although earlier starts failed. */
  readonly tryAgain: readonly [];
  /** Saves the frames of a failed start as a capture; answered on `saved`. */
  readonly saveReceived: readonly [];
  /** Changes some of the preferences. */
  readonly setPreference: readonly [change: Partial<Preferences>];
  /** Requests the settings; answered on `settings`. */
  readonly openSettings: readonly [];
  /** Requests the program's version and licence; answered on `about`. */
  readonly openAbout: readonly [];
  /** Copies the diagnostics to the clipboard; answered on `diagnosticsCopied`. */
  readonly copyDiagnostics: readonly [];
  /** Requests the settings of the assistant; answered on `assistant`. */
  readonly openAssistant: readonly [];
  /** Tests settings of the assistant; `null`: those in use. Answered on `assistantResult`. */
  readonly testAssistant: readonly [change: AssistantChange | null];
  /** Ends the window's test, which is answered on `assistantResult`. */
  readonly cancelAssistantTest: readonly [];
  /** Stores settings of the assistant; `null` selects the demonstration. Answered on `assistantResult`. */
  readonly saveAssistant: readonly [change: AssistantChange | null];
  /** Requests what "Delete my data" would delete; answered on `deleteData`. */
  readonly openDeleteData: readonly [];
  /** Requests the dialog in which the person exports the conversation; answered on `export`. */
  readonly openExport: readonly [];
  /** Requests that the window prints the conversation; answered on `print`. */
  readonly openPrint: readonly [];
  /** Shows the page larger, smaller or in its own size. Electron only: a browser has its own commands. */
  readonly zoomIn: readonly [];
  readonly zoomOut: readonly [];
  readonly resetZoom: readonly [];
  /** Deletes the person's data, after they confirmed it; answered on `dataDeleted`. */
  readonly deleteData: readonly [choice: DeletionChoice];
  /** Starts a recording in this window, or stops the current one (spec §3.3). */
  readonly toggleRecording: readonly [];
  /** Reports that the recording with this number failed. The window has shown the reason. */
  readonly recordingFailed: readonly [number: number];
  /** Plays a sound of the conversation in this window. */
  readonly play: readonly [place: ItemPlace];
  readonly stopPlayback: readonly [];
  /** Reports an audio write of the playback with this number (spec §3.3). */
  readonly audioWritten: readonly [number: number];
  /** Reports that the playback with this number failed. The window has shown the reason. */
  readonly playbackFailed: readonly [number: number];
  /**
   * Reports one of the window's own actions (`src/shared/actions/windowActions.ts`), which the window has applied. Reports are numbered from the
   * load of the page. The first one is the window's state.
   */
  readonly report: readonly [number: number, action: unknown];
}

/** Where a session was saved, or the message why it was not. */
export type SavedSession = { readonly path: string } | { readonly error: string };

/** What the settings dialog shows beside the preferences, which are in the window's store. */
export interface SettingsDialogData {
  /** The folder of recorded and saved sessions. */
  readonly captures: string;
  readonly stored: StoredCaptures;
  /** Only while the built-in platform is in use. */
  readonly assistant?: AssistantSummary;
}

/** The number and size of the files in the captures folder. */
export interface StoredCaptures {
  /** Recorded automatically (`PARLEY_CAPTURE`); deleted when they exceed the limits. */
  readonly recorded: FileSum;
  /** Saved by a person; never deleted automatically. */
  readonly saved: FileSum;
}

interface FileSum {
  readonly files: number;
  readonly bytes: number;
}

/** What the dialog "Delete my data" shows. */
export interface DeletionDialogData {
  /** The data folder. */
  readonly folder: string;
  /** Whether the built-in platform is in use: then its file is in the data folder too. */
  readonly isPlatformBuiltIn: boolean;
}

/** The person's choices in the dialog "Delete my data". */
export interface DeletionChoice {
  /** Also deletes the built-in platform's file: every account with its conversation. */
  readonly platformFile: boolean;
}

/** What the dialog "About Parley" shows. */
export interface About {
  readonly parley: string;
  /** `Electron 45.4.1`, or the web host. */
  readonly host: string;
  /** `null` in the web host. */
  readonly chromium: string | null;
  readonly node: string;
  readonly licence: string;
}

/** The account's conversation is not opened because the program ended twice while it opened it. */
export interface StartFailure {
  /** Whether `saveReceived` can save something. */
  readonly canSave: boolean;
}

/** The channels that Parley adds to the specification's: main to window. */
export interface ToolsReceived {
  /** Why the conversation is not opened; `null` when it is. */
  readonly startFailed: readonly [failure: StartFailure | null];
  /** Shows the settings: requested in this window or in the application menu. */
  readonly settings: readonly [shown: SettingsDialogData];
  /** Shows the settings of the assistant. */
  readonly assistant: readonly [shown: AssistantDialogData];
  /** The answer to `testAssistant` and to `saveAssistant`. */
  readonly assistantResult: readonly [result: AssistantResult];
  /** Shows "About Parley": requested in this window or in the application menu. */
  readonly about: readonly [about: About];
  /** Shows "Delete my data": requested in this window or in the application menu. */
  readonly deleteData: readonly [shown: DeletionDialogData];
  /** Shows the dialog "Export the conversation": requested in this window or in the application menu. */
  readonly export: readonly [];
  /** Prints the conversation: requested in this window or in the application menu. */
  readonly print: readonly [];
  /** Opens the find bar: a person chose *Find…* in the application's menu. */
  readonly find: readonly [];
  /** Sent to every window: the message that the data was deleted, or what could not be deleted. */
  readonly dataDeleted: readonly [text: string];
  /** The answer to `copyDiagnostics`: whether the diagnostics were copied. */
  readonly diagnosticsCopied: readonly [isCopied: boolean];
  /** The answer to `saveSession`. */
  readonly saved: readonly [session: SavedSession];
  /**
   * Sent to the window that records. The recording's number tells late messages about an older recording apart. `stop` sends the
   * recording; `discard` drops it.
   */
  readonly capture: readonly [order: 'start' | 'stop' | 'discard', number: number];
  /** Sent to the window that plays: the playback's number and its sound; `null` stops the playback. */
  readonly sound: readonly [number: number, place: ItemPlace | null];
  /** A message about voice for the person. */
  readonly voiceNote: readonly [text: string];
  /** A message about the program for the person. */
  readonly notice: readonly [text: string];
  /**
   * Requests a report of the window's state: the page has loaded, or a report is missing. With `next`, the number of the report that main expects, only if
   * main lacks a report that was sent before the previous message with such a number.
   */
  readonly reportState: readonly [next?: number];
}

export const TOOLS_SENT = [
  'reconnect',
  'saveSession',
  'inspectSession',
  'tryAgain',
  'saveReceived',
  'setPreference',
  'openSettings',
  'openAbout',
  'copyDiagnostics',
  'openAssistant',
  'testAssistant',
  'cancelAssistantTest',
  'saveAssistant',
  'openDeleteData',
  'openExport',
  'openPrint',
  'zoomIn',
  'zoomOut',
  'resetZoom',
  'deleteData',
  'toggleRecording',
  'recordingFailed',
  'play',
  'stopPlayback',
  'audioWritten',
  'playbackFailed',
  'report',
] as const satisfies readonly (keyof ToolsSent)[];
export const TOOLS_RECEIVED = [
  'startFailed',
  'settings',
  'assistant',
  'assistantResult',
  'about',
  'deleteData',
  'export',
  'print',
  'find',
  'dataDeleted',
  'diagnosticsCopied',
  'saved',
  'capture',
  'sound',
  'voiceNote',
  'notice',
  'reportState',
] as const satisfies readonly (keyof ToolsReceived)[];

/** The type of `window.parleyTools`. A channel outside `TOOLS_SENT` and `TOOLS_RECEIVED` throws. */
export interface ParleyToolsBridge {
  send<C extends keyof ToolsSent>(channel: C, ...args: ToolsSent[C]): void;
  /** Listens on a channel; returns a function that stops listening. */
  on<C extends keyof ToolsReceived>(channel: C, listener: (...args: ToolsReceived[C]) => void): () => void;
}
