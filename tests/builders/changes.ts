import { once } from 'node:events';

/** Creates a condition variable: `changed` is called by what the test replaces, and `until` resolves when a condition is true. */
export function changes() {
  const target = new EventTarget();
  return {
    changed: (): void => void target.dispatchEvent(new Event('changed')),
    /** Checks the condition now, and after each change. */
    async until(condition: () => boolean): Promise<void> {
      while (!condition()) await once(target, 'changed');
    },
  };
}
