import type { ContentItem } from '../protocol/update.ts';
import { type Vector, itemAt } from './vector.ts';

/** How the texts of a run are written; `null`: as ordinary items. */
export type Format = 'markdown' | 'reasoning';

/** Consecutive items of a message with the same format. */
export interface Run {
  readonly format: Format | null;
  /** The index of its first item in the message. */
  readonly first: number;
  /** The index after its last item. */
  readonly end: number;
}

/** Returns the format of an item; `null` for one that is shown according to its category: any format that is not known, too. */
export const formatOf = ({ category, format }: ContentItem): Format | null =>
  category === 'text' && (format === 'markdown' || format === 'reasoning') ? format : null;

/** Returns the runs of the first `count` items of a message, in order. */
export function markdownRuns(content: Vector<ContentItem>, count = content.length): readonly Run[] {
  const runs: Run[] = [];
  for (let index = 0; index < count; index++) {
    const format = formatOf(itemAt(content, index) ?? {});
    const run = runs.at(-1);
    if (run?.format === format) runs.splice(-1, 1, { ...run, end: index + 1 });
    else runs.push({ format, first: index, end: index + 1 });
  }
  return runs;
}

/** The source of a run: the exact concatenation of the texts of its items. */
export interface RunSource {
  readonly source: string;
  /** The index in the source at which each item begins, in UTF-16 units. */
  readonly starts: readonly number[];
}

/** Returns the source of a run of a message. */
export function sourceOfRun(content: Vector<ContentItem>, { first, end }: Run): RunSource {
  const starts: number[] = [];
  let source = '';
  for (let index = first; index < end; index++) {
    starts.push(source.length);
    source += itemAt(content, index)?.text ?? '';
  }
  return { source, starts };
}

/** Returns whether a run shows nothing: an answer begins with an empty item, before it is known what follows it (contract §9). */
export const showsNothing = (content: Vector<ContentItem>, run: Run): boolean =>
  run.format !== null && run.end < content.length && sourceOfRun(content, run).source.trim() === '';
