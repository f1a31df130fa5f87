/** The inspector's window and main (docs/adr/0005): it asks to follow the session, and hears its capture. */

/** Window to background: tell the session from its beginning. */
export const INSPECT_FOLLOW = 'inspectFollow';
/** Background to window: whole lines of a capture, each with its newline; the header is the first. */
export const INSPECT_LINES = 'inspectLines';
/** Background to window: the session has ended; a sentence that says so. */
export const INSPECT_ENDED = 'inspectEnded';

/** `window.parleyInspect`: it can follow, and nothing else. */
export interface ParleyInspectBridge {
  /** Hears what there is of the session, and from then on what comes, until the function that it returns is called. */
  onLines(listener: (text: string) => void): () => void;
  /** Hears that the session has ended: nothing follows any more. */
  onEnded(listener: (words: string) => void): () => void;
}
