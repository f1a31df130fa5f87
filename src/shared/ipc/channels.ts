import type { ItemPlace } from '../conversation/blobReference.ts';
import type { Credentials } from '../protocol/credentials.ts';
import type { Outgoing } from '../protocol/outgoing.ts';
import type { Update } from '../protocol/update.ts';
import type { StepPair } from './sourceLines.ts';
import type {
  AssistantDialogData,
  AssistantInUse,
  AssistantResult,
  AssistantSummary,
} from '../protocol/assistantSettings.ts';

/**
 * The names and types of the channels between main and its windows (spec §6.3). `validators.ts` contains the schemas with which main
 * validates a window's arguments.
 */

/** Window to main, without an answer. */
export interface Sent {
  /** Requests the current snapshot; main sends it on `message` if there is one. */
  readonly messenger: readonly [];
  readonly message: readonly [outgoing: Outgoing];
  readonly logout: readonly [];
  /** `close` closes the window; any other value, of any type or none, minimizes it. */
  readonly nav: readonly [action?: unknown];
}

/** Window to main, with an answer. */
export interface Invoked {
  /** Encodes an array buffer as base64. */
  readonly encode: { readonly args: readonly [bytes: ArrayBuffer]; readonly answer: string };
  /** Signs in or registers; the answer is an error text, or `undefined` on success. */
  readonly auth: { readonly args: readonly [credentials: Credentials]; readonly answer: string | undefined };
}

/** Main to window. */
export interface Received {
  /** The account identifier or `false`, optionally with the reason. */
  readonly account: readonly [account: string | false, reason?: string];
  /** The frame of one update, or the requested snapshot; never a notification. */
  readonly message: readonly [frame: Update['frame']];
  /** 0 connected, 1 disconnected. */
  readonly ws: readonly [status: 0 | 1];
  readonly record: readonly [recording: boolean];
  readonly playback: readonly [messageId: string, playing: boolean];
}

export const SENT = ['messenger', 'message', 'logout', 'nav'] as const satisfies readonly (keyof Sent)[];
export const INVOKED = ['encode', 'auth'] as const satisfies readonly (keyof Invoked)[];
export const RECEIVED = [
  'account',
  'message',
  'ws',
  'record',
  'playback',
] as const satisfies readonly (keyof Received)[];

/** The preload tells main that a page listens on `message`: main sends updates only to such pages. */
export const MESSAGE_LISTENED = 'parley.messageListened';
/** The channel on which the preload tells main that a page listens, by the channel that the page listens on. */
export const LISTENED: Readonly<Partial<Record<string, string>>> = { message: MESSAGE_LISTENED };

/** A listener of any channel. */
export type Listener = (...args: unknown[]) => void;

/** `window.parley`: what the preload exposes. A name outside the lists throws. */
export interface ParleyBridge {
  send<C extends keyof Sent>(channel: C, ...args: Sent[C]): void;
  invoke<C extends keyof Invoked>(channel: C, ...args: Invoked[C]['args']): Promise<Invoked[C]['answer']>;
  /** Listens on a channel; returns a function that stops listening. */
  on<C extends keyof Received>(channel: C, listener: (...args: Received[C]) => void): () => void;
}

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
  /** Opens the menu of the models. Their list follows on `assistantResult`. */
  readonly models: readonly [];
  /** Who answers: the page has loaded, or it was changed. Only with the built-in platform. */
  readonly assistantInUse: readonly [inUse: AssistantInUse];
  /** The result of a test of the assistant's settings or of a list of models, of saving the settings, or of the choice of a model. */
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
  'models',
  'assistantInUse',
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

/** The channels of electron-redux that Parley uses: main forwards actions, and a window fetches the state. */
export const SYNC_ACTION = 'electron-redux.ACTION';
/** electron-redux's asynchronous state request. */
export const SYNC_STATE = 'electron-redux.INIT_STATE_ASYNC';
/** electron-redux's synchronous state request, which Parley does not answer. */
export const SYNC_STATE_BLOCKING = 'electron-redux.INIT_STATE';
/** Parley's channel: a window fetches a further part of the conversation. */
export const SYNC_PART = 'parley.CONVERSATION_PART';

/** The type of `window.parleySync`, with which the window's store follows main's store. It sends no actions to main. */
export interface ParleySyncBridge {
  /**
   * Fetches main's shared state as JSON: `state`, with the sequence number and without messages; `newest`, the part with the newest
   * messages; `start`, the number of the action that began the conversation.
   */
  fetchState(): Promise<string>;
  /**
   * Fetches the part that ends before the message at index `before`, as JSON (`ConversationPart`). Resolves to `null` when the
   * conversation that began with the action number `start` has been replaced.
   */
  fetchPart(start: number, before: number): Promise<string | null>;
  /** Listens to the forwarded actions, in main's order; returns a function that stops listening. */
  onAction(listener: (action: unknown) => void): () => void;
}

/** The channels between main and the inspector's window (docs/adr/0005). */

/** Window to main: requests the capture of the session, from its start. */
export const INSPECT_FOLLOW = 'inspectFollow';
/** Main to window: complete lines of a capture, each with its newline. The first line is the header. */
export const INSPECT_LINES = 'inspectLines';
/** Main to window: the session has ended. Carries the message for the person. */
export const INSPECT_ENDED = 'inspectEnded';
/** Window to main: requests the lines of source that ran in a step of the session (`StepPair`). */
export const INSPECT_SOURCE = 'inspectSource';

/** The type of `window.parleyInspect`, with which the inspector follows the session. */
export interface ParleyInspectBridge {
  /** Listens to the capture's existing lines, then to new ones; returns a function that stops listening. */
  onLines(listener: (text: string) => void): () => void;
  /** Listens to the end of the session. No lines follow it. */
  onEnded(listener: (text: string) => void): () => void;
  /** Resolves to the lines of source that ran in a step (`SourceLinesResult`). */
  sourceLines(pair: StepPair): Promise<unknown>;
}

/** The paths of our pages. The preload decides by them what a page gets, so they are of main and of the preload. */

/** The messenger's page. The web host serves it as `/` too. */
export const MESSENGER_PATH = '/index.html';
/** The inspector's page. */
export const INSPECTOR_PATH = '/inspector/index.html';
