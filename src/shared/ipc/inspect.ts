/** The channels between main and the inspector's window (docs/adr/0005). */

/** Window to main: requests the capture of the session, from its start. */
export const INSPECT_FOLLOW = 'inspectFollow';
/** Main to window: complete lines of a capture, each with its newline. The first line is the header. */
export const INSPECT_LINES = 'inspectLines';
/** Main to window: the session has ended. Carries the message for the person. */
export const INSPECT_ENDED = 'inspectEnded';

/** The type of `window.parleyInspect`, with which the inspector follows the session. */
export interface ParleyInspectBridge {
  /** Listens to the capture's existing lines, then to new ones; returns a function that stops listening. */
  onLines(listener: (text: string) => void): () => void;
  /** Listens to the end of the session. No lines follow it. */
  onEnded(listener: (text: string) => void): () => void;
}
