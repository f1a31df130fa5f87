import type { ItemPlace } from '../conversation/sounds.ts';
import type { Preferences } from '../store/preferences.ts';

/** What Parley adds to the specification's channels: window to background, without an answer (docs/adr/0005). */
export interface ToolsSent {
  /** Connects again after a close that the specification does not reconnect from. */
  readonly reconnect: readonly [];
  /** Writes what is in memory of the session to a capture; answered on `saved`. */
  readonly saveSession: readonly [];
  /** Opens the inspector's window, which follows the session. */
  readonly inspectSession: readonly [];
  /** Opens the conversation although earlier starts failed. */
  readonly tryAgain: readonly [];
  /** Moves what a failed start received to the captures; answered on `saved`. */
  readonly saveReceived: readonly [];
  /** Changes some of the preferences. */
  readonly setPreference: readonly [change: Partial<Preferences>];
  /** Asks for the settings; answered on `settings`. */
  readonly openSettings: readonly [];
  /** Asks what program this is; answered on `about`. */
  readonly openAbout: readonly [];
  /** Puts the diagnostics on the clipboard; answered on `diagnosticsCopied`. */
  readonly copyDiagnostics: readonly [];
  /** Asks what "Delete my data" would delete; answered on `deleteData`. */
  readonly openDeleteData: readonly [];
  /** Deletes it: the person has confirmed. Answered on `dataDeleted`. */
  readonly deleteData: readonly [choice: DeletionChoice];
  /** Starts a recording in this window, or stops the one that is on (spec §3.3). */
  readonly toggleRecording: readonly [];
  /** This window cannot go on with the recording of that number; it has told the person why. */
  readonly recordingFailed: readonly [number: number];
  /** Plays a sound of the conversation, in this window. */
  readonly play: readonly [place: ItemPlace];
  readonly stopPlayback: readonly [];
  /** Sound of the playback of that number has just come out (spec §3.3, "audio write"). */
  readonly audioWritten: readonly [number: number];
  /** This window cannot play that one; it has told the person why. */
  readonly playbackFailed: readonly [number: number];
}

/** Where a session was saved, or in a sentence why it was not. */
export type SavedSession = { readonly path: string } | { readonly error: string };

/** What the settings show beyond the preferences, which a window has in its store. */
export interface SettingsShown {
  /** The folder of recorded and saved sessions. */
  readonly captures: string;
  readonly stored: StoredCaptures;
}

/** How much the folder of captures stores. */
export interface StoredCaptures {
  /** Recorded by themselves (`PARLEY_CAPTURE`): deleted by the limits. */
  readonly recorded: FileSum;
  /** Saved by a person: never deleted by themselves. */
  readonly saved: FileSum;
}

interface FileSum {
  readonly files: number;
  readonly bytes: number;
}

/** What the dialog "Delete my data" shows. */
export interface DeletionShown {
  /** The data folder. */
  readonly folder: string;
  /** The built-in platform is in use, so its file is in the folder too. */
  readonly isPlatformBuiltIn: boolean;
}

/** What the person has decided there. */
export interface DeletionChoice {
  /** Also deletes the built-in platform's file: every account with its conversation. */
  readonly platformFile: boolean;
}

/** What program this is. `null` is what its host does not know. */
export interface About {
  readonly parley: string;
  /** `Electron 45.4.1`, or the web host. */
  readonly host: string;
  readonly chromium: string | null;
  readonly node: string;
  readonly licence: string;
}

/** Why the conversation of the account is not opened: the program ended twice while it was. */
export interface StartFailure {
  /** Whether there is something that `saveReceived` can save. */
  readonly canSave: boolean;
}

/** What Parley adds: background to window. */
export interface ToolsHeard {
  /** The conversation is not opened, for that reason; `null`: no longer. */
  readonly startFailed: readonly [failure: StartFailure | null];
  /** The settings are to be shown, for they were asked for here or in the application's menu. */
  readonly settings: readonly [shown: SettingsShown];
  /** The program is to be shown, likewise. */
  readonly about: readonly [about: About];
  /** "Delete my data" is to be shown, likewise. */
  readonly deleteData: readonly [shown: DeletionShown];
  /** To every window: the data was deleted, or in a sentence what was not. */
  readonly dataDeleted: readonly [words: string];
  /** The answer to `copyDiagnostics`: whether they are on the clipboard. */
  readonly diagnosticsCopied: readonly [isCopied: boolean];
  /** The answer to `saveSession`. */
  readonly saved: readonly [session: SavedSession];
  /**
   * To the one window that captures. Recordings are numbered, so that what is said of an older one can be told from what
   * is said of this. `stop`: send what was captured; `discard`: do not.
   */
  readonly capture: readonly [order: 'start' | 'stop' | 'discard', number: number];
  /** To the one window that plays: this sound, or from now on none. Playbacks are numbered likewise. */
  readonly sound: readonly [number: number, place: ItemPlace | null];
  /** Something about voice that the person should know, in a sentence. */
  readonly voiceNote: readonly [words: string];
  /** Something about the program that the person should know, in a sentence. */
  readonly notice: readonly [words: string];
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
  'openDeleteData',
  'deleteData',
  'toggleRecording',
  'recordingFailed',
  'play',
  'stopPlayback',
  'audioWritten',
  'playbackFailed',
] as const satisfies readonly (keyof ToolsSent)[];
export const TOOLS_HEARD = [
  'startFailed',
  'settings',
  'about',
  'deleteData',
  'dataDeleted',
  'diagnosticsCopied',
  'saved',
  'capture',
  'sound',
  'voiceNote',
  'notice',
] as const satisfies readonly (keyof ToolsHeard)[];

/** `window.parleyTools`. A name outside the lists throws. */
export interface ParleyToolsBridge {
  send<C extends keyof ToolsSent>(channel: C, ...args: ToolsSent[C]): void;
  /** Listens until the function that it returns is called. */
  on<C extends keyof ToolsHeard>(channel: C, listener: (...args: ToolsHeard[C]) => void): () => void;
}
