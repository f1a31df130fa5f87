/** A gate that lets one waiter through for each release. */
interface Gate {
  /** Resolves at the next release that no other waiter has used. */
  wait(): Promise<void>;
  release(): void;
}

/** Creates a gate; a release without a waiter is kept for the next one. */
export function createGate(): Gate {
  const waiting: (() => void)[] = [];
  let released = 0;
  return {
    wait: () =>
      new Promise((resolve) => {
        if (released === 0) waiting.push(resolve);
        else {
          released -= 1;
          resolve();
        }
      }),
    release() {
      const resolve = waiting.shift();
      if (resolve === undefined) released += 1;
      else resolve();
    },
  };
}
