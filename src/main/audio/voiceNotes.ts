import type { AudioWindow } from './audioWindow.ts';

/** Notes about voice for the person; windows that open later receive the newest one. */
interface VoiceNotes {
  /** Sends a note to every loaded window except `gone`; when there is none, to the next window that loads. */
  send(text: string, gone?: AudioWindow): void;
  sendTo(window: AudioWindow): void;
}

/** Creates the sender of voice notes. @param windows returns all current windows. */
export function createVoiceNotes(windows: () => readonly AudioWindow[]): VoiceNotes {
  let pending: string | undefined;
  const loaded = new Set<number>();
  return {
    send(text, gone) {
      if (gone !== undefined) loaded.delete(gone.id);
      const others = windows().filter(({ id }) => loaded.has(id));
      for (const window of others) window.send('voiceNote', text);
      pending = others.length === 0 ? text : undefined;
    },
    sendTo(window) {
      loaded.add(window.id);
      if (pending !== undefined) window.send('voiceNote', pending);
      pending = undefined;
    },
  };
}
