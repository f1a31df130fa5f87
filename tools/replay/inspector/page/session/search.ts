import { parseTime } from '../../time/formatTime.ts';
import type { Target } from '../../protocol/protocol.ts';
import type { Core } from './core.ts';
import type { Navigate } from './navigate.ts';
import type { Search as Entered } from './state.ts';

/** Searches for a step. */
export interface Search {
  set(entered: Partial<Entered>): void;
  /** Goes to the nearest matching step after (or before) the selected one. */
  find(direction: 'forward' | 'backward'): Promise<void>;
  /** Goes to the entered update, time or message, in either direction. */
  jump(): Promise<void>;
}

/** Returns whether a kind of search has one match in a session; the others can match several steps. */
export const hasOneMatch = ({ kind }: Pick<Entered, 'kind'>): boolean =>
  kind === 'update' || kind === 'time' || kind === 'message';

/** Creates the search. */
export function createSearch(core: Core, navigate: Navigate): Search {
  const { store, failSearch } = core;
  return {
    set: (entered) => store.set({ search: { ...store.get().search, ...entered }, searchError: undefined }),
    find: (direction) => find(core, navigate, direction).catch(failSearch),
    jump: () => jump(core, navigate).catch(failSearch),
  };
}

async function find({ client, store, notify }: Core, navigate: Navigate, direction: 'forward' | 'backward') {
  const { branch, search, step: from } = store.get();
  const step = await client.request('find', { branch, from, direction, target: parseSearch(search) });
  const side = direction === 'forward' ? 'after' : 'before';
  if (step === undefined) return notify(`No step ${side} this one meets ${search.text}.`);
  navigate.go(step);
  notify(`Found at step ${step}.`);
}

async function jump({ client, store, notify }: Core, navigate: Navigate) {
  const { branch, search } = store.get();
  const target = parseSearch(search);
  if (target.kind === 'time') return navigate.goToShownTime(target.t);
  const step = await client.request('find', { branch, from: 0, direction: 'forward', target });
  if (step === undefined) notify(`There is no ${search.kind} ${search.text} in this session.`);
  else navigate.go(step);
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
export function parseSearch({ kind, text: entered }: Entered): Target {
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
      return { kind, number: numberOf(text) };
    case 'time':
      return { kind, t: timeOf(text) };
    case 'message':
      return { kind, id: text };
    default:
      return kind satisfies never;
  }
}

function numberOf(text: string): number {
  if (!/^\d+$/.test(text)) throw new SearchError('An update is a number, such as 12.');
  return Number(text);
}

function timeOf(text: string): number {
  const t = parseTime(text);
  if (t === undefined) throw new SearchError('Enter a time as the list shows it, such as 1.230 or 2:03.400.');
  return t;
}
