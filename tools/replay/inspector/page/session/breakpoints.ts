import { StoppedError } from '../../protocol/client.ts';
import type { Target } from '../../protocol/protocol.ts';
import type { Core } from './core.ts';
import type { Navigate } from './navigate.ts';
import { parseSearch } from './search.ts';
import { type Breakpoint, type InspectorState, type Search, shownSteps } from './state.ts';

/** The conditions at which playing, and a move of several steps, stops. */
export interface Breakpoints {
  /** Adds the entered search as a breakpoint, turned on. */
  add(): Promise<void>;
  /** Turns a breakpoint on or off. */
  toggle(breakpoint: Breakpoint): void;
  remove(breakpoint: Breakpoint): void;
  /** Moves by several steps, but not past a breakpoint. */
  by(steps: number): Promise<void>;
}

/** The step of a breakpoint, and the reason for the stop. */
export interface Stop {
  readonly step: number;
  readonly text: string;
}

/** Creates the breakpoints. */
export function createBreakpoints(core: Core, navigate: Navigate): Breakpoints {
  const { store, failSearch, fail } = core;
  const replace = (change: (all: readonly Breakpoint[]) => readonly Breakpoint[]) =>
    store.set({ breakpoints: change(store.get().breakpoints) });
  return {
    add: () => add(core).catch(failSearch),
    toggle: (breakpoint) => replace((all) => switched(all, [breakpoint], !breakpoint.isOn)),
    remove: (breakpoint) => replace((all) => all.filter((one) => one !== breakpoint)),
    by: (steps) => moveBy(core, navigate, steps).catch(fail),
  };
}

const isSame = (a: Search, b: Search): boolean => a.kind === b.kind && a.text.trim() === b.text.trim();

async function add({ client, store, notify }: Core): Promise<void> {
  const { branch, search } = store.get();
  const target = parseSearch(search);
  // After the last step there is nothing to search, so this only checks the target.
  const from = shownSteps(store.get());
  await client.request('findBreak', { branch, from, direction: 'forward', targets: [target] });
  const others = store.get().breakpoints.filter((one) => !isSame(one.search, search));
  store.set({ breakpoints: [...others, { search, isOn: true }] });
  notify(`Playing stops where this is met: ${search.text.trim()}.`);
}

async function moveBy(core: Core, navigate: Navigate, steps: number): Promise<void> {
  const { step } = core.store.get();
  const stop = await findBreakpoint(core, step, steps > 0 ? 'forward' : 'backward');
  if (stop === undefined || Math.abs(stop.step - step) > Math.abs(steps)) return navigate.by(steps);
  navigate.go(stop.step);
  core.notify(stop.text);
}

/** Returns the nearest step after (or before) `from` at which a breakpoint stops. */
export async function findBreakpoint(
  { client, store }: Core,
  from: number,
  direction: 'forward' | 'backward',
): Promise<Stop | undefined> {
  const { branch } = store.get();
  const active = store.get().breakpoints.filter(({ isOn }) => isOn);
  if (active.length === 0) return undefined;
  const targets: readonly Target[] = active.map(({ search }) => parseSearch(search));
  const found = await client
    .request('findBreak', { branch, from, direction, targets })
    .catch((error: unknown) => {
      throw error instanceof StoppedError ? turnOff(store, active, error) : error;
    });
  const met = found && active[found.target];
  return (
    found && met && { step: found.step, text: `Stopped at step ${found.step}: ${describeMatch(met.search)}.` }
  );
}

/** Turns off the breakpoints of a search that was stopped, which would be stopped again; returns an error that says so. */
function turnOff(store: Core['store'], stopped: readonly Breakpoint[], { message }: StoppedError): Error {
  store.set({ breakpoints: switched(store.get().breakpoints, stopped, false) });
  return new Error(`${message} The breakpoints are turned off.`);
}

const switched = (
  all: readonly Breakpoint[],
  some: readonly Breakpoint[],
  isOn: boolean,
): readonly Breakpoint[] => all.map((one) => (some.includes(one) ? { ...one, isOn } : one));

const describeMatch = ({ kind, text }: InspectorState['search']) =>
  kind === 'change' ? `${text} changed` : `${text} is met`;
