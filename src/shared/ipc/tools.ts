import type { ItemPlace } from '../conversation/sounds.ts';
import type { AssistantDialogData, AssistantResult, AssistantSummary } from './assistant.ts';

/** An action that a window sends, as its creator makes it. */
export interface SentAction {
  readonly type: string;
  readonly payload?: unknown;
  readonly meta?: unknown;
}

/** The channel that Parley adds to the specification's (docs/adr/0005): window to main, without an answer. */
export interface ToolsSent {
  /**
   * Sends an action, which main validates against the table of actions (`parseSentAction`): a user action, or an action of the window's state, which the
   * window has applied. Those of the window's state have a number, which counts from the load of the page. The first one is the whole state.
   */
  readonly action: readonly [action: SentAction, number?: number];
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
  /** Whether something was received that can be saved. */
  readonly canSave: boolean;
}

/** The channels that Parley adds to the specification's: main to window. */
export interface ToolsReceived {
  /** Shows the settings: requested in this window or in the application menu. */
  readonly settings: readonly [shown: SettingsDialogData];
  /** Shows the settings of the assistant. */
  readonly assistant: readonly [shown: AssistantDialogData];
  /** The result of a test of the assistant's settings, or of saving them. */
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
  /** Whether the diagnostics were copied. */
  readonly diagnosticsCopied: readonly [isCopied: boolean];
  /** The result of saving the session. */
  readonly saved: readonly [session: SavedSession];
  /**
   * Sent to the window that records. The recording's number tells late messages about an older recording apart. `stop` sends the
   * recording; `discard` drops it.
   */
  readonly capture: readonly [order: 'start' | 'stop' | 'discard', number: number];
  /** Sent to the window that plays: the playback's number and its sound; `null` stops the playback. */
  readonly sound: readonly [number: number, place: ItemPlace | null];
  /** A message about voice for the person, for this window only. */
  readonly voiceNote: readonly [text: string];
  /**
   * Requests the window's state: the page has loaded, or an action of its state is missing. With `next`, the number that main expects, only if
   * main lacks an action that was sent before the previous message with such a number.
   */
  readonly requestState: readonly [next?: number];
}

export const TOOLS_SENT = ['action'] as const satisfies readonly (keyof ToolsSent)[];
export const TOOLS_RECEIVED = [
  'settings',
  'assistant',
  'assistantResult',
  'about',
  'deleteData',
  'export',
  'print',
  'find',
  'diagnosticsCopied',
  'saved',
  'capture',
  'sound',
  'voiceNote',
  'requestState',
] as const satisfies readonly (keyof ToolsReceived)[];

/** The type of `window.parleyTools`. A channel outside `TOOLS_SENT` and `TOOLS_RECEIVED` throws. */
export interface ParleyToolsBridge {
  send<C extends keyof ToolsSent>(channel: C, ...args: ToolsSent[C]): void;
  /** Listens on a channel; returns a function that stops listening. */
  on<C extends keyof ToolsReceived>(channel: C, listener: (...args: ToolsReceived[C]) => void): () => void;
}
