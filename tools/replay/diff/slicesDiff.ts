import { isJsonObject } from '#shared/isJsonObject.ts';
import type { WindowsState } from '#shared/window/windows.ts';
import { itemPath } from './statePath.ts';
import { type Change, compareValues, valueDiff } from './valueDiff.ts';

/** Slices of the state, with the windows by number. */
interface Slices {
  readonly windows: WindowsState;
}

/** Returns how slices differ. A window's path has its number, as in expressions: `windows[2]`. */
export function slicesDiff({ windows: before, ...a }: Slices, { windows: after, ...b }: Slices): Change[] {
  const into = valueDiff(a, b);
  if (!isJsonObject(before) || !isJsonObject(after)) {
    compareValues({ path: 'windows', before, after, into });
    return into;
  }
  const numbers = new Set([...Object.keys(before), ...Object.keys(after)].map(Number));
  for (const number of numbers) {
    const path = itemPath('windows', number);
    compareValues({ path, before: before[number], after: after[number], into });
  }
  return into;
}
