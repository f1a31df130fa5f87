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
export const NO_WORKS: Works = { subscribe: () => () => undefined, current: () => NONE };
