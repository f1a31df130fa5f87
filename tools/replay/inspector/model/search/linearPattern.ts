import { SessionError } from '../trace/sessionError.ts';
import { type PatternNode, parsePattern } from './patternNodes.ts';

/** The maximum length of a pattern, and of the part of a text that is searched, in characters. */
const MAX_PATTERN = 200;
const MAX_TEXT = 100_000;
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
 * engine can take forever for `(a+)+$`. The first 100,000 characters of a text are searched. There are no backreferences and no looking
 * ahead or behind.
 * @throws {SessionError} when the pattern is not valid, too long, or contains something else.
 */
export function linearPattern(source: string, flags = ''): (text: string) => boolean {
  if (source.length > MAX_PATTERN) {
    throw new SessionError(`A pattern has at most ${MAX_PATTERN} characters.`);
  }
  checkPattern(source, flags);
  const states: State[] = [{ kind: 'end' }];
  const start = compile(parsePattern(source, flags), 0, states);
  return (text) => search(states, start, text.slice(0, MAX_TEXT));
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

/** Follows all states at once. */
function search(states: readonly State[], start: number, text: string): boolean {
  const seen = new Int32Array(states.length).fill(-1);
  let current: number[] = [];
  for (let at = 0; at <= text.length; at++) {
    // A match can begin at each character.
    const open = [...current, start];
    current = [];
    const character = text.charAt(at);
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const state = states[index];
      if (state === undefined || seen[index] === at) continue;
      seen[index] = at;
      if (state.kind === 'end') return true;
      if (state.kind === 'split') open.push(...state.next);
      else if (state.kind === 'position') {
        if (state.matches(text, at)) open.push(state.next);
      } else if (at < text.length && state.matches(character)) current.push(state.next);
    }
  }
  return false;
}
