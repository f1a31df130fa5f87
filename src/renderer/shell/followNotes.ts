import type { ParleyToolsBridge, SavedSession } from '#shared/ipc/tools.ts';
import { type Cell, cell } from '../base/cell.ts';

/** A message to the person that does not block the window. */
export interface Note {
  readonly text: string;
  /** The file that the message is about. */
  readonly path?: string;
}

const noteOf = (session: SavedSession): Note =>
  'path' in session ? { text: 'This session is saved in', path: session.path } : { text: session.error };

const COPIED = 'The diagnostics are on the clipboard. They contain no names, addresses or messages.';
const NOT_COPIED = 'The diagnostics could not be copied: the clipboard is not allowed here.';

/** Follows main's messages; returns a cell with the newest note, which stays until it is dismissed. */
export function followNotes(tools: Pick<ParleyToolsBridge, 'on'>): Cell<Note | undefined> {
  const note = cell<Note | undefined>(undefined);
  tools.on('saved', (session) => note.set(noteOf(session)));
  tools.on('diagnosticsCopied', (isCopied) => note.set({ text: isCopied ? COPIED : NOT_COPIED }));
  tools.on('dataDeleted', (text) => note.set({ text }));
  tools.on('voiceNote', (text) => note.set({ text }));
  tools.on('notice', (text) => note.set({ text }));
  return note;
}
