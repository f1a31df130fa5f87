import type * as Electron from 'electron';
import { parseAccelerator } from '../bridge/accelerator.ts';
import { onlyWhatIs } from './electronEmitter.ts';

/**
 * Electron's `globalShortcut`, as far as a browser can: a shortcut is heard while one of this process's pages has the
 * keyboard, whatever in it does. No other program can have taken it there.
 * @param show makes every page hear these accelerators, and no others.
 */
export function createGlobalShortcut(show: (accelerators: readonly string[]) => void) {
  const callbacks = new Map<string, () => void>();
  const tell = () => show([...callbacks.keys()]);
  const globalShortcut = onlyWhatIs('globalShortcut', {
    /** @throws {Error} for an accelerator that the web host does not know. */
    register(accelerator: string, callback: () => void): boolean {
      parseAccelerator(accelerator, false);
      if (callbacks.has(accelerator)) return false;
      callbacks.set(accelerator, callback);
      tell();
      return true;
    },
    unregister(accelerator: string): void {
      if (callbacks.delete(accelerator)) tell();
    },
    unregisterAll(): void {
      callbacks.clear();
      tell();
    },
    isRegistered: (accelerator: string) => callbacks.has(accelerator),
  } satisfies Partial<Electron.GlobalShortcut>);
  /** A page heard it. What it says may cross an `unregister`. */
  const pressed = (accelerator: string) => callbacks.get(accelerator)?.();
  return { globalShortcut, pressed };
}
