import { StoppedError } from '../../protocol/workerClient.ts';
import type { Target } from '../../protocol/protocol.ts';
import { parseTime } from '../../time/formatTime.ts';
import { type Breakpoint, type Direction, type Search, shownSteps } from './inspectorState.ts';
import type { Core } from './inspectorStore.ts';
import { type Navigate, endOfShownTime } from './navigate.ts';

/** Returns whether a kind of search has one match in a session; the others can match several steps. */
export const hasOneMatch = (kind: Search['kind']): boolean =>
  kind === 'update' || kind === 'time' || kind === 'message';

const sideOf = (direction: Direction) => (direction === 'forward' ? 'after' : 'before');

/** Creates the search for a step. */
export function createSearch({ client, store, notify, fail, failSearch }: Core, navigate: Navigate) {
  const find = async (direction: Direction) => {
    const { branch, search, step: from } = store.get();
    const step = await client.request('find', { branch, from, direction, target: parseSearch(search) });
    if (step === undefined) return notify(`No step ${sideOf(direction)} this one meets ${search.text}.`);
    navigate.go(step);
    notify(`Found at step ${step}.`);
  };
  const jump = async () => {
    const { branch, search } = store.get();
    const target = parseSearch(search);
    if (target.kind === 'time') return navigate.goToTime(endOfShownTime(target.t));
    const step = await client.request('find', { branch, from: 0, direction: 'forward', target });
    if (step === undefined) notify(`There is no ${search.kind} ${search.text} in this session.`);
    else navigate.go(step);
  };
  const goToError = async (direction: Direction) => {
    const { branch, step: from } = store.get();
    const step = await client.request('nextError', { branch, from, direction });
    if (step === undefined) notify(`No error ${sideOf(direction)} this step.`);
    else navigate.go(step);
  };
  return {
    set: (entered: Partial<Search>) =>
      store.set({ search: { ...store.get().search, ...entered }, searchError: undefined }),
    /** Goes to the nearest matching step after (or before) the selected one. */
    find: (direction: Direction) => find(direction).catch(failSearch),
    /** Goes to the entered update, time or message, in either direction. */
    jump: () => jump().catch(failSearch),
    /** Goes to the next or previous error of the session. */
    goToError: (direction: Direction) => goToError(direction).catch(fail),
  };
}

/** The error for an invalid search; `message` tells the person what to enter. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}

/**
 * Converts the entered search to a target.
 *
 * @throws {SearchError} when it is empty, or is not a number for a kind that needs one.
 */
export function parseSearch({ kind, text: entered }: Search): Target {
  const text = entered.trim();
  if (text === '') throw new SearchError('Enter what to look for.');
  switch (kind) {
    case 'expression':
      return { kind, expression: text };
    case 'frame':
      return { kind, text };
    case 'change':
      return { kind, path: text };
    case 'update':
      if (!/^\d+$/.test(text)) throw new SearchError('An update is a number, such as 12.');
      return { kind, number: Number(text) };
    case 'time': {
      const t = parseTime(text);
      if (t !== undefined) return { kind, t };
      throw new SearchError('Enter a time as the list shows it, such as 1.230 or 2:03.400.');
    }
    case 'message':
      return { kind, id: text };
    default:
      return kind satisfies never;
  }
}

const isSame = (a: Search, b: Search): boolean => a.kind === b.kind && a.text.trim() === b.text.trim();

/** Creates the breakpoints: the searches at which playing, and a move of several steps, stops. */
export function createBreakpoints(core: Core, navigate: Navigate) {
  const { client, store, notify, failSearch, fail } = core;
  const add = async () => {
    const { branch, search } = store.get();
    const target = parseSearch(search);
    // After the last step there is nothing to search, so this only checks the target.
    const from = shownSteps(store.get());
    await client.request('findBreak', { branch, from, direction: 'forward', targets: [target] });
    const others = store.get().breakpoints.filter((one) => !isSame(one.search, search));
    store.set({ breakpoints: [...others, { search, isOn: true }] });
    notify(`Playing stops where this is met: ${search.text.trim()}.`);
  };
  const moveBy = async (steps: number) => {
    const { step } = store.get();
    const stop = await findBreakpoint(core, step, steps > 0 ? 'forward' : 'backward');
    if (stop === undefined || Math.abs(stop.step - step) > Math.abs(steps)) return navigate.by(steps);
    navigate.go(stop.step);
    notify(stop.text);
  };
  return {
    /** Adds the entered search as a breakpoint, turned on. */
    add: () => add().catch(failSearch),
    /** Turns a breakpoint on or off. */
    toggle: (breakpoint: Breakpoint) => switchBreakpoints(core, [breakpoint], !breakpoint.isOn),
    remove: (breakpoint: Breakpoint) =>
      store.set({ breakpoints: store.get().breakpoints.filter((one) => one !== breakpoint) }),
    /** Moves by several steps, but not past a breakpoint. */
    by: (steps: number) => moveBy(steps).catch(fail),
  };
}

function switchBreakpoints({ store }: Core, some: readonly Breakpoint[], isOn: boolean): void {
  const turn = (one: Breakpoint): Breakpoint => (some.includes(one) ? { ...one, isOn } : one);
  store.set({ breakpoints: store.get().breakpoints.map(turn) });
}

/**
 * Returns the nearest step after (or before) `from` at which a breakpoint stops, and the text that says why; `undefined` when there is none. Turns
 * off the breakpoints of a search that was stopped, because it would be stopped again.
 */
export async function findBreakpoint(core: Core, from: number, direction: Direction) {
  const { branch, breakpoints } = core.store.get();
  const active = breakpoints.filter(({ isOn }) => isOn);
  if (active.length === 0) return undefined;
  const targets = active.map(({ search }) => parseSearch(search));
  const found = await core.client
    .request('findBreak', { branch, from, direction, targets })
    .catch((error: unknown) => {
      if (!(error instanceof StoppedError)) throw error;
      switchBreakpoints(core, active, false);
      throw new Error(`${error.message} The breakpoints are turned off.`);
    });
  const met = active[found?.target ?? -1]?.search;
  if (found === undefined || met === undefined) return undefined;
  const event = met.kind === 'change' ? `${met.text} changed` : `${met.text} is met`;
  return { step: found.step, text: `Stopped at step ${found.step}: ${event}.` };
}
