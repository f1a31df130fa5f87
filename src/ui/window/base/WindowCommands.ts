import { createContext, useContext } from 'react';
import type { ExportFormat } from '#ui/export/exportConversation.ts';
import type { CopyLater } from '#ui/export/useCopy.ts';
import type { Word } from '#shared/conversation/conversation.ts';
import type { AssistantChange } from '#shared/protocol/assistantSettings.ts';
import type { Credentials } from '#shared/protocol/credentials.ts';
import type { WindowStateAction, UserAction } from '#shared/actions/actionTable.ts';
import type { Zoom } from '#shared/actions/windowSchemas.ts';

/** Work of a window that takes some time: a copy, an export or a print of a long conversation. */
export interface Work {
  readonly id: number;
  /** What is done: `Copying`. */
  readonly name: string;
  readonly done: number;
  /** 0 until it is known. */
  readonly of: number;
  readonly cancel: () => void;
}

/** The work that takes longer than a moment. It is not part of the window's state. */
export interface Works {
  /** Listens to changes; returns a function that stops listening. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns the current work; the same list until it changes. */
  readonly current: () => readonly Work[];
}

const NONE: readonly Work[] = [];

/** No work, as in a picture of a window. */
const NO_WORKS: Works = { subscribe: () => () => undefined, current: () => NONE };

/**
 * Everything that the window's components do. The window gives them commands that dispatch, and that use the bridge to main. Without a provider
 * every command does nothing: then `App` is a picture of its store.
 */
export interface WindowCommands {
  /** Applies an action of the window's state. */
  readonly dispatch: (action: WindowStateAction) => void;
  /** Sends a user action to main, which performs its effect. */
  readonly send: (action: UserAction) => void;
  readonly minimize: () => void;
  readonly close: () => void;
  readonly logOut: () => void;
  /** Tests settings of the assistant; `null`: those in use. */
  readonly testAssistant: (change: AssistantChange | null) => void;
  /** Stores settings of the assistant; `null` selects the demonstration. */
  readonly saveAssistant: (change: AssistantChange | null) => void;
  /** Changes fields of the sign-in form. */
  readonly editSignIn: (fields: Partial<Credentials>) => void;
  readonly submitSignIn: () => void;
  /** Sends the text of the text box. */
  readonly sendText: () => void;
  /** Sends the text of the text box, which is too long for a message, as a file. */
  readonly sendTextAsFile: () => void;
  /** Sends a word about the newest answer as an ordinary message; `cancel` ends what a notice announces. */
  readonly sendWord: (word: Word | 'cancel') => void;
  /** Puts the older or newer text into the text box; returns whether there is one. */
  readonly recallText: (direction: 'older' | 'newer') => boolean;
  readonly sendFile: (file: File) => void;
  /** Sends the dropped file. */
  readonly dropFile: (data: DataTransfer) => void;
  /** Sends the pasted file. */
  readonly pasteFiles: (data: DataTransfer) => void;
  /** Opens the find bar, or selects its text. */
  readonly openFind: () => void;
  /** Copies a part of the conversation in steps, and waits for messages that have not arrived. */
  readonly copyLater: CopyLater;
  /** Says how the viewer shows its image, when that rests. */
  readonly zoomImage: (zoom: Zoom) => void;
  /** Writes the conversation in a format; the person saves the file. */
  readonly exportConversation: (format: ExportFormat) => void;
  /** Prints the whole conversation. */
  readonly print: () => void;
  /** The long work of this window. */
  readonly works: Works;
  /** Moves the focus. */
  readonly focus: (element: HTMLElement | null | undefined, options?: FocusOptions) => void;
  /** Shows a dialog in front of the window, which is inert meanwhile. */
  readonly showModal: (dialog: HTMLDialogElement | null) => void;
}

const nothing = () => undefined;

/** The commands of a picture of the window. */
const NO_COMMANDS: WindowCommands = {
  dispatch: nothing,
  send: nothing,
  minimize: nothing,
  close: nothing,
  logOut: nothing,
  testAssistant: nothing,
  saveAssistant: nothing,
  editSignIn: nothing,
  submitSignIn: nothing,
  sendText: nothing,
  sendTextAsFile: nothing,
  sendWord: nothing,
  recallText: () => false,
  sendFile: nothing,
  dropFile: nothing,
  pasteFiles: nothing,
  openFind: nothing,
  copyLater: nothing,
  zoomImage: nothing,
  exportConversation: nothing,
  print: nothing,
  works: NO_WORKS,
  focus: nothing,
  showModal: (dialog) => dialog?.setAttribute('open', ''),
};

/** Provides the commands of the window. */
export const WindowCommandsContext = createContext(NO_COMMANDS);

/** Returns the commands of this window. */
export const useWindowCommands = (): WindowCommands => useContext(WindowCommandsContext);

/** How the program sets the focus, for people who use the keyboard: without scrolling, and without a focus ring. */
export const QUIETLY = { preventScroll: true, focusVisible: false };
