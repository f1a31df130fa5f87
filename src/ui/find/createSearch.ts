import type { Message } from '#shared/conversation/conversation.ts';
import { MISSING_MESSAGE } from '#shared/conversation/conversationPart.ts';
import { displayedCategory } from '#shared/conversation/display.ts';
import { type Vector, emptyVector, itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';
import { type Hits, hitList } from './hitList.ts';
import { hitsInText } from './hitsInText.ts';
import { searchPattern } from './searchPattern.ts';

/** Maximum time that one task spends on the search, in milliseconds. */
const SLICE_MS = 8;
/** Number of searched messages after which the time is checked. */
const CHECKED_ROWS = 32;

/** How far a search is. */
export interface SearchProgress {
  /** The number of hits so far. */
  readonly count: number;
  /** Whether every message was searched, and all messages have arrived. */
  readonly isComplete: boolean;
}

/** A search in the conversation that follows the conversation. */
export interface Search {
  /**
   * Searches messages for a text, in slices, the newest message first. Keeps what is known about messages that are the same objects as in the
   * previous call, if the text is the same.
   */
  update(messages: Vector<Message>, text: string): void;
  /** Returns the progress: the same object until it changes. */
  progress(): SearchProgress;
  /** Calls a function after each change of the progress; returns a function that ends this. */
  subscribe(listener: () => void): () => void;
  /** The hits so far. */
  readonly hits: Hits;
  stop(): void;
}

interface Options {
  readonly clock: Clock;
  /** Returns the visible text of markup. Yields where the work can pause. */
  readonly readMarkup: (html: string) => Generator<void, string>;
}

/** Creates a search. It searches texts, visible texts of markup, and names of images, sounds and files. It does not search the names of senders: of a conversation of two, half of all messages would be hits. */
export function createSearch({ clock, readMarkup }: Options): Search {
  const hits = hitList();
  const textOf = rememberTexts(readMarkup);
  const { progress, show, subscribe } = watchProgress(() => hits.count());
  let text = '';
  let pattern: RegExp | null = null;
  let searched: (Message | undefined)[] = [];
  let cancel: Cancel | undefined;

  /** Searches all messages that are not searched; returns whether none is missing. */
  function* run(messages: Vector<Message>, wanted: RegExp): Generator<void, boolean> {
    let isWhole = true;
    for (let row = messages.length - 1; row >= 0; row--) {
      const message = itemAt(messages, row) ?? MISSING_MESSAGE;
      if (message === MISSING_MESSAGE) isWhole = false;
      if (searched[row] !== message) {
        hits.set(row, yield* hitsInMessage(message, wanted, textOf));
        searched[row] = message;
      }
      if (row % CHECKED_ROWS === 0) yield;
    }
    return isWhole;
  }

  const update = (messages: Vector<Message>, wanted: string) => {
    cancel?.();
    if (wanted !== text) {
      text = wanted;
      pattern = searchPattern(wanted);
      searched = [];
      hits.clear();
    }
    hits.shorten(messages.length);
    searched.length = Math.min(searched.length, messages.length);
    if (pattern === null) return show(true);
    show(false);
    cancel = runInSlices(clock, run(messages, pattern), show);
    return undefined;
  };
  return { hits, progress, subscribe, update, stop: () => cancel?.() };
}

/**
 * Runs work in slices, not in this task, which may be that of a key press.
 * @param show is called after each slice, with `false` before the end and with the result at the end.
 * @returns a function that ends the work.
 */
function runInSlices(clock: Clock, work: Generator<void, boolean>, show: (result: boolean) => void): Cancel {
  const slice = () => {
    const end = clock.now() + SLICE_MS;
    for (let step = work.next(); ; step = work.next()) {
      if (step.done === true) return show(step.value);
      if (clock.now() >= end) break;
    }
    cancel = clock.after(0, slice);
    return show(false);
  };
  let cancel = clock.after(0, slice);
  return () => cancel();
}

type TextOf = (item: ContentItem) => Generator<void, string>;

/** Returns a function that returns the text of an item that is searched. Markup is read once. */
function rememberTexts(readMarkup: Options['readMarkup']): TextOf {
  const known = new WeakMap<ContentItem, string>();
  return function* textOf(item) {
    if (displayedCategory(item.category) !== 'html') return item.text ?? '';
    const text = known.get(item) ?? (yield* readMarkup(item.html ?? ''));
    known.set(item, text);
    return text;
  };
}

function watchProgress(count: () => number) {
  const listeners = new Set<() => void>();
  let progress: SearchProgress = { count: 0, isComplete: true };
  return {
    progress: () => progress,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show(isComplete: boolean) {
      if (progress.count === count() && progress.isComplete === isComplete) return;
      progress = { count: count(), isComplete };
      for (const listener of listeners) listener();
    },
  };
}

/** Returns the item, the start and the end of each hit, in one list. */
function* hitsInMessage(
  { content = emptyVector() }: Message,
  pattern: RegExp,
  textOf: TextOf,
): Generator<void, readonly number[]> {
  const found: number[] = [];
  for (let at = 0; at < content.length; at++) {
    const text = yield* textOf(itemAt(content, at) ?? {});
    const inItem = yield* hitsInText(text, pattern);
    for (let i = 0; i < inItem.length; i += 2) found.push(at, inItem[i] ?? 0, inItem[i + 1] ?? 0);
  }
  return found;
}
