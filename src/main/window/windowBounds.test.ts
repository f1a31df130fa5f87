import { EventEmitter } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { jsonFile } from '../base/jsonFile.ts';
import { type StoredBounds, createWindowBounds, windowBoundsSchema } from './windowBounds.ts';

const SCREEN = { workArea: { x: 0, y: 0, width: 1920, height: 1080 } };
const RIGHT = { workArea: { x: 1920, y: 0, width: 1920, height: 1080 } };

class FakeWindow extends EventEmitter {
  bounds = { x: 100, y: 80, width: 480, height: 760 };
  maximized = false;
  getNormalBounds = () => this.bounds;
  isMaximized = () => this.maximized;

  move(bounds: Partial<FakeWindow['bounds']>, event = 'move') {
    this.bounds = { ...this.bounds, ...bounds };
    this.emit(event);
  }
}

function startOn(folder: string, displays = [SCREEN]) {
  const path = join(folder, 'window.json');
  const clock = virtualClock();
  const file = jsonFile({ path, schema: windowBoundsSchema, log: mainLog().log });
  const windowBounds = createWindowBounds({ file, displays: () => displays, clock });
  const open = () => {
    const { bounds, persist } = windowBounds.takeSlot();
    const window = new FakeWindow();
    persist(window);
    return { bounds, window };
  };
  const written = (): unknown => JSON.parse(readFileSync(path, 'utf8'));
  return { clock, open, windowBounds, path, written };
}

const STORED = { x: 300, y: 200, width: 600, height: 800, isMaximized: false };
const bounds = (fields: Partial<StoredBounds> = {}): StoredBounds => ({ ...STORED, ...fields });

test('a window’s place is stored 500 ms after the last move or resize, and restored by the next start', () => {
  const folder = mainFolder();
  const { clock, open, written } = startOn(folder);
  const { window } = open();
  window.move({ x: 300.4, y: 199.6 });
  clock.advance(400);
  window.move({ width: 600, height: 800 }, 'resize');
  clock.advance(499);
  expect(written).toThrow('ENOENT');
  clock.advance(1);
  expect(written()).toEqual([bounds()]);
  expect(startOn(folder).open().bounds).toEqual(bounds());
});

test('a window’s place is stored with the normal bounds of a maximised window', () => {
  const folder = mainFolder();
  const { clock, open } = startOn(folder);
  const { window } = open();
  window.maximized = true;
  window.emit('maximize');
  clock.advance(500);
  expect(startOn(folder).open().bounds).toEqual(
    bounds({ x: 100, y: 80, width: 480, height: 760, isMaximized: true }),
  );
});

test.each([
  ['on the display', bounds(), true],
  ['more than half beyond', bounds({ x: -400 }), false],
  ['on a disconnected display', bounds({ x: 2000 }), false],
  ['title bar above the upper edge', bounds({ y: -50 }), false],
])(
  'a window’s place is restored only where a person can reach it, also on a second display (%s): %j, %s',
  (_, stored, isRestored) => {
    const folder = mainFolder();
    const { open, path } = startOn(folder);
    writeFileSync(path, JSON.stringify([stored]));
    expect(open().bounds).toBeUndefined();
    expect(startOn(folder).open().bounds).toEqual(isRestored ? stored : undefined);
    const isOnSecond = stored.x >= 1920;
    expect(startOn(folder, [SCREEN, RIGHT]).open().bounds).toEqual(
      isRestored || isOnSecond ? stored : undefined,
    );
  },
);

test('a window’s place is separate for each window, and free for the next one after a close', () => {
  const folder = mainFolder();
  const { clock, open, written } = startOn(folder);
  const first = open();
  const second = open();
  second.window.move({ x: 700 });
  clock.advance(500);
  expect(written()).toEqual([null, expect.objectContaining({ x: 700 })]);
  first.window.move({ x: 50 });
  clock.advance(500);
  first.window.emit('closed');
  expect(open().bounds?.x).toBe(50);
  const again = startOn(folder);
  expect([0, 1, 2].map(() => again.open().bounds?.x)).toEqual([50, 700, undefined]);
});
