import { type Message, MISSING_MESSAGE } from '#shared/conversation/conversation.ts';
import { displayedCategory } from '#shared/conversation/display.ts';
import { markdownRuns } from '#shared/conversation/markdownRuns.ts';
import { type Vector, emptyVector, itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { betweenCharacters } from '#shared/formatText.ts';
import { readRunTexts } from '../markdown/runTexts.ts';
import { type Hit, type Span, hitList } from './hitList.ts';

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

interface Options {
  readonly clock: Clock;
  /** Returns the visible text of markup. Yields where the work can pause. */
  readonly readMarkup: (html: string) => Generator<void, string>;
}

/**
 * Creates a search in the conversation. It searches texts, visible texts of markup and of Markdown, and names of images, sounds and files. It does not search the
 * names of senders: of a conversation of two, half of all messages would be hits.
 */
export function createSearch({ clock, readMarkup }: Options) {
  const hits = hitList();
  const textOf = rememberTexts(readMarkup);
  const listeners = new Set<() => void>();
  let progress: SearchProgress = { count: 0, isComplete: true };
  let text = '';
  let pattern: RegExp | null = null;
  let searched: (Message | undefined)[] = [];
  let cancel: Cancel | undefined;

  const show = (isComplete: boolean) => {
    const count = hits.count();
    if (progress.count === count && progress.isComplete === isComplete) return;
    progress = { count, isComplete };
    for (const listener of listeners) listener();
  };

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

  return {
    /** The hits so far. */
    hits,
    /** Returns the progress: the same object until it changes. */
    progress: (): SearchProgress => progress,
    /** Calls a function after each change of the progress; returns a function that ends this. */
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /**
     * Searches messages for a text, in slices, the newest message first. Keeps what is known about messages that are the same objects as in the
     * previous call, if the text is the same.
     */
    update(messages: Vector<Message>, wanted: string): void {
      cancel?.();
      if (wanted !== text) {
        text = wanted;
        pattern = searchPattern(wanted);
        searched = [];
        hits.clear();
      }
      hits.shorten(messages.length);
      searched.length = Math.min(searched.length, messages.length);
      show(pattern === null);
      if (pattern !== null) cancel = runInSlices(clock, run(messages, pattern), show);
    },
    stop: (): void => cancel?.(),
  };
}

/**
 * Runs work in slices, not in this task, which may be that of a key press.
 * @param show is called after each slice, with `false` before the end and with the result at the end.
 * @returns a function that ends the work.
 */
function runInSlices(clock: Clock, work: Generator<void, boolean>, show: (result: boolean) => void): Cancel {
  const slice = () => {
    const end = clock.now() + SLICE_MS;
    let step = work.next();
    while (step.done !== true && clock.now() < end) step = work.next();
    if (step.done !== true) cancel = clock.after(0, slice);
    show(step.done === true && step.value);
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

function* hitsInMessage(message: Message, pattern: RegExp, textOf: TextOf): Generator<void, readonly Hit[]> {
  const { content = emptyVector() } = message;
  const found: Hit[] = [];
  for (const run of markdownRuns(content)) {
    const texts = run.format === null ? [] : yield* readRunTexts(message, run);
    for (let item = run.first; item < run.end; item++) {
      const text = texts[item - run.first] ?? (yield* textOf(itemAt(content, item) ?? {}));
      for (const span of yield* hitsInText(text, pattern)) found.push({ item, ...span });
    }
  }
  return found;
}

/** Length of the parts in which a long text is searched, in UTF-16 units. One takes a few milliseconds. */
const PART_LENGTH = 64 * 1024;
/** How far a part's last hit may reach beyond the part, in UTF-16 units. */
const OVERLAP = 16 * 1024;

/**
 * Searches a text; returns its hits, in UTF-16 units. They do not overlap. Yields after each part, so
 * that the search can be interrupted.
 * @param pattern has the flag `g`.
 */
function* hitsInText(text: string, pattern: RegExp): Generator<void, readonly Span[]> {
  const hits: Span[] = [];
  for (let from = 0; from < text.length;) {
    const to = from + PART_LENGTH >= text.length ? text.length : betweenCharacters(text, from + PART_LENGTH);
    const part = text.slice(from, to + OVERLAP);
    pattern.lastIndex = 0;
    let end = to;
    for (let hit = pattern.exec(part); hit !== null; hit = pattern.exec(part)) {
      if (from + hit.index >= to) break;
      hits.push({ start: from + hit.index, end: from + pattern.lastIndex });
      end = Math.max(to, from + pattern.lastIndex);
    }
    from = end;
    yield;
  }
  return hits;
}

/** Characters that join the one before them in Unicode's composed form: marks of letters and of kana, and Hangul's vowels and finals. */
const JOINING = String.raw`\u0300-\u036F\u0653-\u0655\u1161-\u1175\u11A8-\u11C2\u3099\u309A`;
const PARTS = new RegExp(String.raw`\s+|\S[${JOINING}\p{M}]*`, 'gu');
const NOT_WITHIN_CHARACTER = `(?![${JOINING}])`;
/** Maximum number of joining characters of one letter whose order may differ. */
const MOST_ORDERED = 3;

/**
 * Returns the pattern that finds a text in others, or `null` when the text has no visible character. It ignores case, matches composed and
 * decomposed characters alike, and white space of any length. Its hits do not end within a character.
 */
export function searchPattern(text: string): RegExp | null {
  if (text.trim() === '') return null;
  const parts = text.normalize('NFD').match(PARTS) ?? [];
  const source = parts.map((part, at) => {
    if (part.trim() !== '') return alternatives(formsOf(part));
    // One character at the ends: from each space of a long row, a search would run to the row's end.
    return at === 0 || at === parts.length - 1 ? String.raw`\s` : String.raw`\s+`;
  });
  return new RegExp(source.join('') + NOT_WITHIN_CHARACTER, 'giu');
}

/** Returns the composed, decomposed and partly composed forms of one decomposed character. */
function formsOf(decomposed: string): readonly string[] {
  const composed = decomposed.normalize('NFC');
  const [base = '', ...joining] = decomposed;
  const orders = joining.length <= MOST_ORDERED ? permutations(joining) : [joining];
  const forms = orders.flatMap((order) =>
    Array.from({ length: order.length + 1 }, (_, count) => {
      const head = [base, ...order.slice(0, count)].join('').normalize('NFC');
      return head + order.slice(count).join('');
    }),
  );
  return Array.from(new Set([composed, ...forms.filter((form) => form.normalize('NFC') === composed)]));
}

const permutations = (list: readonly string[]): readonly (readonly string[])[] =>
  list.length < 2
    ? [list]
    : list.flatMap((one, at) => permutations(list.toSpliced(at, 1)).map((rest) => [one].concat(rest)));

const alternatives = (forms: readonly string[]): string =>
  forms.length === 1 ? forms.map(escape).join('') : `(?:${forms.map(escape).join('|')})`;

/** Returns a pattern for exactly this text. */
const escape = (text: string): string =>
  Array.from(text, (character) => String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join('');
