import { isDeepStrictEqual } from 'node:util';
import { MISSING_MESSAGE, toSnapshot } from '#shared/conversation/conversation.ts';
import { toArray } from '#shared/conversation/vector.ts';
import { type SharedState, sharedPart } from '#shared/store/rootReducer.ts';
import { INLINE_BLOB_LENGTH } from '#shared/limits.ts';
import type { MainState } from '#main/store/mainStore.ts';
import type { SimWindow } from '../machine/browserWindows.ts';
import type { PageProgram } from '../people/viewActs.ts';
import type { World } from '../world/world.ts';

/** Returns the program of a window's page; `undefined` while it loads. */
export function pageOf({ webContents }: SimWindow): PageProgram | undefined {
  const { page } = webContents;
  // A messenger's page exports its program.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return page?.party.isAlive === true ? (page.exports as PageProgram | undefined) : undefined;
}

/**
 * Check 1: a window's shared state is main's. At any moment, a window that has applied as many actions as main has must have the same state.
 * @param isCalm everything on its way has arrived: every window must have caught up.
 */
export function checkWindows(
  world: World,
  windows: Iterable<SimWindow>,
  options: { readonly main: MainState; readonly isCalm: boolean },
): void {
  const { main, isCalm } = options;
  const shown = textOf(main);
  for (const window of windows) {
    const state = pageOf(window)?.store.getState();
    if (state === undefined) continue;
    if (state.sequence !== main.sequence) {
      if (isCalm) world.fail(1, `a window is at action ${state.sequence}, main at ${main.sequence}`);
      continue;
    }
    const isComplete = !toArray(state.conversation.messages).some(
      (message) => Object.keys(message).length === 0 || message === MISSING_MESSAGE,
    );
    if (!isComplete && isCalm) world.fail(1, 'a window lacks messages');
    const text = isComplete ? textOf(state) : shown;
    if (text !== shown) compare(world, JSON.parse(text), JSON.parse(shown));
    const copy = main.windows[window.number];
    if (isCalm && !isDeepStrictEqual(copy?.own, state.own))
      world.fail(
        1,
        `main’s copy of the state of window ${window.number} is another one: ${differenceOf(copy?.own, state.own)}`,
      );
  }
}

function compare(world: World, window: Record<string, unknown>, main: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(main))
    if (!isDeepStrictEqual(window[name], value))
      world.fail(1, `${name} of a window is ${shorten(window[name])}, and main’s is ${shorten(value)}`);
}

/** Names the first field that differs. */
function differenceOf(one: object | undefined, other: object): string {
  if (one === undefined) return 'there is none';
  const isOther = (key: string) => !isDeepStrictEqual(Reflect.get(one, key), Reflect.get(other, key));
  const name = Object.keys(other).find(isOther) ?? '';
  return `${name} is ${shorten(Reflect.get(one, name))} there, and ${shorten(Reflect.get(other, name))} in the window`;
}

const shorten = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 300);

/** Returns the shared part of a state as JSON. Long blobs stay in main. */
function textOf(state: SharedState): string {
  const { conversation, arrivals, ...rest } = sharedPart(state);
  return JSON.stringify(
    { ...rest, arrivals: toArray(arrivals), conversation: toSnapshot(conversation) },
    (name, value: unknown) =>
      (name === 'blob' || name === 'avatar') && isLong(value) ? 'a long blob' : value,
  );
}

const isLong = (value: unknown): boolean =>
  (typeof value === 'object' && value !== null) ||
  (typeof value === 'string' && value.length > INLINE_BLOB_LENGTH);
