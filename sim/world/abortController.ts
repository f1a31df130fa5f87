type Listener = () => void;

/** Who added a listener may have been killed, and signals may live long: an error of one does not stop the others. */
function notify(listener: Listener): void {
  try {
    listener();
  } catch (error) {
    void Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

/** `AbortSignal` without events. */
export class SimAbortSignal {
  aborted = false;
  reason: unknown = undefined;
  #listeners: Set<Listener> | undefined;

  /** Returns a signal that is aborted with the first of several. */
  static any(signals: readonly SimAbortSignal[]): SimAbortSignal {
    const combined = new SimAbortSignal();
    const abort = (first: SimAbortSignal) => combined.abort(first.reason);
    for (const signal of signals) {
      if (signal.aborted) abort(signal);
      else signal.addEventListener('abort', () => abort(signal));
    }
    return combined;
  }

  addEventListener(_: 'abort', listener: Listener): void {
    this.#listeners = (this.#listeners ?? new Set()).add(listener);
  }

  removeEventListener(_: 'abort', listener: Listener): void {
    this.#listeners?.delete(listener);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners ?? []) notify(listener);
    this.#listeners = undefined;
  }
}

/**
 * `AbortController` for the programs and packages of a simulation. Node's costs twenty times as much, with one for each listener of each action; and Node keeps a
 * combined signal with a listener for ever, with everything that the listener knows.
 */
export class SimAbortController {
  readonly signal = new SimAbortSignal();
  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    this.signal.abort(reason);
  }
}
