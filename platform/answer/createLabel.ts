import type { Clock } from '#shared/time/clock.ts';
import type { GrowingBlock } from './split/createSplitter.ts';

/** Minimum interval between two numbers of lines in the label. */
const LINES_INTERVAL_MS = 1000;
const WRITING = ' is writing…';

/** What an answer does. */
export interface Activity {
  readonly isThinking: boolean;
  /** The block that is still growing and that the answer does not show. */
  readonly hidden: GrowingBlock | null;
}

/**
 * Creates the label of a running answer. `label` is that of an answer that shows what it writes: “Parley is writing…”. The others are made from
 * it when it ends like this. Each of them ends with `…`.
 */
export function createLabel(label: string, clock: Clock): (activity: Activity) => string {
  let lines = 0;
  let linesAt = Number.NEGATIVE_INFINITY;

  const shownLines = (count: number) => {
    if (count < lines || clock.now() >= linesAt + LINES_INTERVAL_MS) {
      lines = count;
      linesAt = clock.now();
    }
    return lines;
  };
  const blockLabel = ({ block }: GrowingBlock, name: string) => {
    if (block.kind !== 'code') return `${name} is writing a ${block.kind}…`;
    const count = shownLines(block.lines.length - 1);
    return count > 1 ? `${name} is writing code, ${count} lines…` : `${name} is writing code…`;
  };
  return ({ isThinking, hidden }) => {
    if (!label.endsWith(WRITING)) return label;
    const name = label.slice(0, -WRITING.length);
    if (isThinking) return `${name} is thinking…`;
    return hidden === null ? label : blockLabel(hidden, name);
  };
}
