import type { ParleyToolsBridge, SavedSession } from '#shared/ipc/tools.ts';
import { type Cell, cell } from './cell.ts';

/** A word to the person that nothing waits for. */
export interface Note {
  readonly words: string;
  /** The file that it is about. */
  readonly path?: string;
}

const noteOf = (session: SavedSession): Note =>
  'path' in session ? { words: 'This session is saved in', path: session.path } : { words: session.error };

/** Follows what main says of recordings; the newest note stands until it is dismissed. */
export function followNotes(tools: Pick<ParleyToolsBridge, 'on'>): Cell<Note | undefined> {
  const note = cell<Note | undefined>(undefined);
  tools.on('saved', (session) => note.set(noteOf(session)));
  tools.on('recordingStopped', (words) => note.set({ words }));
  return note;
}
