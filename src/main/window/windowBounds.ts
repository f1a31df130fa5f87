import { type BrowserWindow, type Display, type Rectangle, screen } from 'electron';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '#node/createLogger.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { BOUNDS_SETTLED_MS } from '#shared/limits.ts';
import { type JsonFile, jsonFile } from '../base/jsonFile.ts';

/** Other fields are those of a newer version. */
const boundsSchema = z.looseObject({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  isMaximized: z.boolean(),
});

/** The bounds of the windows, in the order of opening; `null` for a window that was never moved. */
export const windowBoundsSchema = z.array(boundsSchema.nullable());

/** A window's bounds when it is not maximized, and whether it is maximized. */
export type StoredBounds = z.infer<typeof boundsSchema>;

/** The slot of one window. */
export type Slot = ReturnType<WindowBounds['takeSlot']>;

type BoundedWindow = Pick<BrowserWindow, 'getNormalBounds' | 'isMaximized'> & Pick<NodeJS.EventEmitter, 'on'>;

const MOVES = ['resize', 'move', 'maximize', 'unmaximize'];

/** The bounds of all windows. */
export type WindowBounds = ReturnType<typeof createWindowBounds>;

interface SetUpOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Creates the bounds of all windows, stored in `<data dir>/window.json`, for the displays of this machine. */
export function setUpWindowBounds({ dataDir, clock, log }: SetUpOptions): WindowBounds {
  const file = jsonFile({ path: join(dataDir, 'window.json'), schema: windowBoundsSchema, log });
  return createWindowBounds({ file, displays: () => screen.getAllDisplays(), clock });
}

interface Options {
  readonly file: JsonFile<readonly (StoredBounds | null)[]>;
  readonly displays: () => readonly Pick<Display, 'workArea'>[];
  readonly clock: Clock;
}

/** Creates the bounds of all windows. They are stored by slot: the first window that opens gets the bounds of the first slot. */
export function createWindowBounds({ file, displays, clock }: Options) {
  const stored = [...(file.read() ?? [])];
  const taken = new Set<number>();
  const pending = new Set<() => void>();

  const write = (index: number, bounds: StoredBounds) => {
    while (stored.length < index) stored.push(null);
    stored[index] = { ...stored[index], ...bounds };
    file.write(stored);
  };
  const persist = (index: number, window: BoundedWindow) => {
    let cancel: Cancel | undefined;
    const stop = () => {
      cancel?.();
      cancel = undefined;
      pending.delete(stop);
    };
    const settle = () => {
      if (cancel === undefined) return;
      stop();
      write(index, { ...roundBounds(window.getNormalBounds()), isMaximized: window.isMaximized() });
    };
    const moved = () => {
      cancel?.();
      cancel = clock.after(BOUNDS_SETTLED_MS, settle);
      pending.add(stop);
    };
    for (const move of MOVES) window.on(move, moved);
    window.on('close', settle);
    window.on('closed', () => {
      stop();
      taken.delete(index);
    });
  };

  return {
    takeSlot() {
      let index = 0;
      while (taken.has(index)) index++;
      taken.add(index);
      const bounds = stored[index] ?? undefined;
      const isOnDisplay =
        bounds !== undefined && displays().some(({ workArea }) => containsGrip(workArea, bounds));
      return {
        /** The last bounds of the window in this slot, when a display still contains it. */
        bounds: isOnDisplay ? bounds : undefined,
        /** Stores the bounds of this window whenever they change. */
        persist: (window: BoundedWindow) => persist(index, window),
      };
    },
    /** Forgets the bounds of every window, also those that were not written yet. Later moves are stored again. */
    forget(): void {
      stored.length = 0;
      for (const stop of pending) stop();
    },
  };
}

const roundBounds = ({ x, y, width, height }: Rectangle): Rectangle => ({
  x: Math.round(x),
  y: Math.round(y),
  width: Math.round(width),
  height: Math.round(height),
});

/** Distance of the grip point below the window's upper edge, in pixels. */
const GRIP = 20;

/** Returns whether the middle of a window's title bar is on a display. */
function containsGrip({ x, y, width, height }: Rectangle, bounds: StoredBounds): boolean {
  const gripX = bounds.x + bounds.width / 2;
  const gripY = bounds.y + GRIP;
  return gripX >= x && gripX <= x + width && gripY >= y && gripY <= y + height;
}
