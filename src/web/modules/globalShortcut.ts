import type * as Electron from 'electron';
import { parseAccelerator } from '../bridge/accelerator.ts';
import { throwOnMissing } from './electronEmitter.ts';

/**
 * Creates Electron's `globalShortcut` within the limits of a browser: a shortcut works while one of this process's pages
 * has the keyboard focus. No other program can have registered it there.
 * @param show makes every page listen to these accelerators, and no others.
 */
export function createGlobalShortcut(show: (accelerators: readonly string[]) => void) {
  const callbacks = new Map<string, () => void>();
  const update = () => show([...callbacks.keys()]);
  const globalShortcut = throwOnMissing('globalShortcut', {
    /** @throws {Error} for an accelerator that the web host does not know. */
    register(accelerator: string, callback: () => void): boolean {
      parseAccelerator(accelerator, false);
      if (callbacks.has(accelerator)) return false;
      callbacks.set(accelerator, callback);
      update();
      return true;
    },
    unregister(accelerator: string): void {
      if (callbacks.delete(accelerator)) update();
    },
    unregisterAll(): void {
      callbacks.clear();
      update();
    },
    isRegistered: (accelerator: string) => callbacks.has(accelerator),
  } satisfies Partial<Electron.GlobalShortcut>);
  /** A page reports a press. The report may arrive after an `unregister`. */
  const pressed = (accelerator: string) => callbacks.get(accelerator)?.();
  return { globalShortcut, pressed };
}
