import type { AudioWindow } from './audioWindow.ts';

/** Words about voice for the person, whose windows may not be there yet. */
export interface VoiceNotes {
  /** Tells every window but the one that has just gone; with no other, the first that comes. */
  tell(words: string, gone?: AudioWindow): void;
  greet(window: AudioWindow): void;
}

/** @param windows all that there are now. */
export function createVoiceNotes(windows: () => readonly AudioWindow[]): VoiceNotes {
  let untold: string | undefined;
  return {
    tell(words, gone) {
      const others = windows().filter(({ id }) => id !== gone?.id);
      for (const window of others) window.tell('voiceNote', words);
      untold = others.length === 0 ? words : undefined;
    },
    greet(window) {
      if (untold !== undefined) window.tell('voiceNote', untold);
      untold = undefined;
    },
  };
}
