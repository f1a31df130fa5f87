import type { AudioWindow } from './audioWindow.ts';

/** Words about voice for the person, whose windows may not be there yet. */
export interface VoiceNotes {
  /** Tells every window whose page is there, but the one that has just gone; with no other, the first that comes. */
  tell(words: string, gone?: AudioWindow): void;
  greet(window: AudioWindow): void;
}

/** @param windows all that there are now. */
export function createVoiceNotes(windows: () => readonly AudioWindow[]): VoiceNotes {
  let untold: string | undefined;
  const greeted = new Set<number>();
  return {
    tell(words, gone) {
      if (gone !== undefined) greeted.delete(gone.id);
      const others = windows().filter(({ id }) => greeted.has(id));
      for (const window of others) window.tell('voiceNote', words);
      untold = others.length === 0 ? words : undefined;
    },
    greet(window) {
      greeted.add(window.id);
      if (untold !== undefined) window.tell('voiceNote', untold);
      untold = undefined;
    },
  };
}
