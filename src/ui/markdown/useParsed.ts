import { useEffect, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { type Parsed, parseMarkdown } from './parseMarkdown.ts';

/** Parses a source: what it continues only once, and a long one in several tasks. */
export function useParsed(source: string, isGrowing: boolean): Parsed {
  const [parser] = useState(createParser);
  const [turn, setTurn] = useState(0);
  // Markup that is made outside of a window has no later task.
  const isMarkup = useSyncExternalStore(neverChanges, no, yes);
  const parsed = parser.parse(source, isGrowing, isMarkup ? all : takeLength);
  const { length } = parsed.source;
  const isWhole = length === source.length;
  useEffect(
    () => (isWhole ? undefined : waitForLength(() => setTurn(turn + 1))),
    // The length changes while a new part arrives, which draws again.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
    [isWhole, turn, length],
  );
  return parsed;
}

const neverChanges = () => () => undefined;
const no = () => false;
const yes = () => true;
const all = (wanted: number) => wanted;

/** Creates a parser of versions of one source. */
function createParser() {
  let last: Parsed | undefined;
  let wasGrowing = false;
  let length = 0;
  return {
    /** Parses the part of a source that may be drawn now. @param take takes a part of what is new; returns its length */
    parse(source: string, isGrowing: boolean, take: (wanted: number) => number): Parsed {
      length = Math.min(source.length, length + take(Math.max(0, source.length - length)));
      const part = source.slice(0, length);
      const grows = isGrowing || length < source.length;
      if (last?.source !== part || wasGrowing !== grows)
        last = parseMarkdown(part, { before: last, isGrowing: grows });
      wasGrowing = grows;
      return last;
    },
  };
}

/** Length of the sources that one task parses and draws, in UTF-16 units: with its layout, one takes 3 to 18 ms. */
const TASK_LENGTH = 300;
/** The same of the first task, and how much longer that of each later one is: at first, the browser has not compiled the code. */
const FIRST_LENGTH = 200;
const GROWTH = 1.25;

let taskLength = FIRST_LENGTH;
/** What the current task may still draw. */
let left = taskLength;
let isCounting = false;
/** Whether the current task draws what waited for it. */
let isDrawing = false;
/** What waits for a later task, the newest last. */
const waiting = new Set<() => void>();

/**
 * Takes a part of what the current task may draw, for all answers together; returns its length, in UTF-16 units. A task in which an update arrives
 * draws all that is new, or nothing if it is too much: such a task is long enough without it.
 */
function takeLength(wanted: number): number {
  const taken = isDrawing ? Math.min(wanted, left) : wanted <= left ? wanted : 0;
  left -= taken;
  if (taken > 0) countNextTask();
  return taken;
}

/** Calls a function in a later task that may draw more, the newest first; returns a function that cancels this. */
function waitForLength(draw: () => void): () => void {
  waiting.add(draw);
  countNextTask();
  return () => waiting.delete(draw);
}

function countNextTask(): void {
  if (isCounting) return;
  isCounting = true;
  setTimeout(() => {
    isCounting = false;
    taskLength = Math.min(TASK_LENGTH, taskLength * GROWTH);
    left = taskLength;
    const newest = Array.from(waiting).at(-1);
    if (newest === undefined) return;
    waiting.delete(newest);
    isDrawing = true;
    flushSync(newest);
    isDrawing = false;
    if (waiting.size > 0) countNextTask();
  });
}
