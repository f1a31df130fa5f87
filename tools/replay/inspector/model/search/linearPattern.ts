import { SessionError } from '../trace/sessionError.ts';
import { type PatternNode, parsePattern } from './patternNodes.ts';

/** The maximum length of a pattern, in characters. */
const MAX_PATTERN = 200;
/** The maximum number of states, which the repetitions multiply. */
const MAX_STATES = 1000;

/** A state of the automaton: it consumes a character, checks a position, or continues with several states. */
type State =
  | {
      readonly kind: 'character';
      readonly matches: (character: string) => boolean;
      readonly next: number;
    }
  | {
      readonly kind: 'position';
      readonly matches: (text: string, at: number) => boolean;
      readonly next: number;
    }
  | { readonly kind: 'split'; readonly next: number[] }
  | { readonly kind: 'end' };

/**
 * Returns whether a text contains a match of a regular expression, in time proportional to the length of the text, because the browser's own
 * engine can take forever for `(a+)+$`. There are no backreferences and no looking ahead or behind.
 * @throws {SessionError} when the pattern is not valid, too long, or contains something else.
 */
export function linearPattern(source: string, flags = ''): (text: string) => boolean {
  if (source.length > MAX_PATTERN) {
    throw new SessionError(`A pattern has at most ${MAX_PATTERN} characters.`);
  }
  checkPattern(source, flags);
  const states: State[] = [{ kind: 'end' }];
  const start = compile(parsePattern(source, flags), 0, states);
  return searcher(states, start);
}

function checkPattern(source: string, flags: string): void {
  if (!/^[ims]*$/.test(flags)) throw new SessionError('The flags of a pattern are i, m and s.');
  try {
    void new RegExp(source, flags);
  } catch (cause) {
    throw new SessionError(`This is not a valid regular expression: /${source}/${flags}.`, { cause });
  }
}

function add(states: State[], state: State): number {
  if (states.length >= MAX_STATES) throw new SessionError('This pattern repeats too much.');
  return states.push(state) - 1;
}

/** Adds the states of a node that continue with the state `next`; returns the first one. */
function compile(node: PatternNode, next: number, states: State[]): number {
  switch (node.kind) {
    case 'character':
    case 'position':
      return add(states, { ...node, next });
    case 'sequence':
      return node.nodes.reduceRight((after, one) => compile(one, after, states), next);
    case 'choice':
      return add(states, { kind: 'split', next: node.nodes.map((one) => compile(one, next, states)) });
    case 'repeat':
      return compileRepeat(node, next, states);
    default:
      return node satisfies never;
  }
}

type Repeat = Extract<PatternNode, { kind: 'repeat' }>;

function compileRepeat({ node, min, max }: Repeat, next: number, states: State[]): number {
  let first = next;
  if (max === Infinity) {
    const loop: number[] = [next];
    first = add(states, { kind: 'split', next: loop });
    loop.push(compile(node, first, states));
  } else {
    for (let i = min; i < max; i++) {
      first = add(states, { kind: 'split', next: [next, compile(node, first, states)] });
    }
  }
  for (let i = 0; i < min; i++) first = compile(node, first, states);
  return first;
}

/** The states that are followed at one place of a text, with those after each next character as far as they are known. */
interface Place {
  readonly states: readonly number[];
  /** By what is before the character, if the pattern checks positions. */
  readonly next: readonly Map<string, Place | typeof FOUND>[];
}

const FOUND = 'found';

/** More places are not kept in memory. */
const MAX_PLACES = 1000;

/** Returns a function that follows all states at once. It keeps the places, so that a further text takes little more than one step for each character. */
function searcher(states: readonly State[], start: number): (text: string) => boolean {
  const before = states.some(({ kind }) => kind === 'position') ? kindOf : () => 0;
  const places = new Map<string, Place>();
  const placeOf = (followed: readonly number[]): Place => {
    const key = followed.join();
    const known = places.get(key);
    if (known !== undefined) return known;
    if (places.size >= MAX_PLACES) places.clear();
    const place = { states: followed, next: Array.from({ length: KINDS }, () => new Map()) };
    places.set(key, place);
    return place;
  };
  return (text) => {
    let place = placeOf([]);
    for (let at = 0; at <= text.length; at++) {
      const known = place.next[before(text.charAt(at - 1))];
      const character = text.charAt(at);
      let next = known?.get(character);
      if (next === undefined) {
        const followed = statesAfter(states, [...place.states, start], { text, at });
        next = followed === FOUND ? FOUND : placeOf(followed);
        known?.set(character, next);
      }
      if (next === FOUND) return true;
      place = next;
    }
    return false;
  };
}

const KINDS = 4;

/** Returns a number for all characters that positions do not distinguish; `''` is the start of a text. */
function kindOf(character: string): number {
  if (character === '') return 0;
  if (/\w/.test(character)) return 1;
  return /[\n\r\u2028\u2029]/.test(character) ? 2 : 3;
}

/** Returns the states that follow after the character at a place, sorted; a match can begin at each character. */
function statesAfter(
  states: readonly State[],
  open: number[],
  { text, at }: { readonly text: string; readonly at: number },
): readonly number[] | typeof FOUND {
  const seen = new Set<number>();
  const next = new Set<number>();
  const character = text.charAt(at);
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const state = states[index];
    if (state === undefined || seen.has(index)) continue;
    seen.add(index);
    if (state.kind === 'end') return FOUND;
    if (state.kind === 'split') open.push(...state.next);
    else if (state.kind === 'position') {
      if (state.matches(text, at)) open.push(state.next);
    } else if (at < text.length && state.matches(character)) next.add(state.next);
  }
  return [...next].sort((a, b) => a - b);
}
