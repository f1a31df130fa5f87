import { join } from 'node:path';
import { type BrowserWindow, type Display, type Rectangle, screen } from 'electron';
import { z } from 'zod';
import { PLACE_SETTLED_MS } from '#shared/limits.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';
import type { Logger } from '#log/createLogger.ts';
import { type JsonFile, jsonFile } from '../base/jsonFile.ts';

const placeSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  isMaximized: z.boolean(),
});

/** The places of the windows, in order; `null` for a window that was never moved. */
export const placesSchema = z.array(placeSchema.nullable());

/** A window's bounds when it is not maximized, and whether it is maximized. */
export type Place = z.infer<typeof placeSchema>;

/** The slot of one window. */
export interface Slot {
  /** The last place of the window in this slot, when a display still contains it. */
  readonly place: Place | undefined;
  /** Stores the place of this window whenever it changes. */
  keep(window: PlacedWindow): void;
}

type PlacedWindow = Pick<BrowserWindow, 'getNormalBounds' | 'isMaximized'> & Pick<NodeJS.EventEmitter, 'on'>;

interface Options {
  readonly file: JsonFile<readonly (Place | null)[]>;
  readonly displays: () => readonly Pick<Display, 'workArea'>[];
  readonly clock: Clock;
}

const MOVES = ['resize', 'move', 'maximize', 'unmaximize'];

/** The places of all windows. */
export interface Places {
  takeSlot(): Slot;
  /** Forgets every place, also one that was not written yet. Later moves are stored again. */
  forget(): void;
}

/** Creates the places, stored in `<data dir>/window.json`, for the displays of this machine. */
export const setUpPlaces = (options: {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Logger;
}): Places =>
  createPlaces({
    file: jsonFile({ path: join(options.dataDir, 'window.json'), schema: placesSchema, log: options.log }),
    displays: () => screen.getAllDisplays(),
    clock: options.clock,
  });

/** Creates the places: stores the size and place of each window in the order of opening. */
export function createPlaces({ file, displays, clock }: Options): Places {
  const places = [...(file.read() ?? [])];
  const taken = new Set<number>();
  const pending = new Set<() => void>();

  const write = (index: number, place: Place) => {
    while (places.length < index) places.push(null);
    places[index] = place;
    file.write(places);
  };
  const keep = (index: number, window: PlacedWindow) => {
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
      cancel = clock.after(PLACE_SETTLED_MS, settle);
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
      const index = firstFreeIndex(taken);
      taken.add(index);
      const place = places[index] ?? undefined;
      const isOnDisplay =
        place !== undefined && displays().some(({ workArea }) => containsGrip(workArea, place));
      return { place: isOnDisplay ? place : undefined, keep: (window) => keep(index, window) };
    },
    forget() {
      places.length = 0;
      for (const stop of pending) stop();
    },
  };
}

function firstFreeIndex(taken: ReadonlySet<number>): number {
  let index = 0;
  while (taken.has(index)) index++;
  return index;
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
function containsGrip({ x, y, width, height }: Rectangle, place: Place): boolean {
  const gripX = place.x + place.width / 2;
  const gripY = place.y + GRIP;
  return gripX >= x && gripX <= x + width && gripY >= y && gripY <= y + height;
}
