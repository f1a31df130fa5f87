import { type Run, formatOf, markdownRuns, sourceOfRun } from '#shared/conversation/markdownRuns.ts';
import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { createMarkdownReader } from './createMarkdownReader.ts';

/** The texts of the runs of a message's content, by the index of the first item. */
const known = new WeakMap<Vector<ContentItem>, Map<number, readonly string[]>>();

const read = createMarkdownReader();

/** Returns the text of each item of a run as it is shown: of the blocks that begin in the item. Yields where the work can pause. Runs are read once. */
export function* readRunTexts(content: Vector<ContentItem>, run: Run): Generator<void, readonly string[]> {
  const before = known.get(content)?.get(run.first);
  if (before !== undefined) return before;
  const { source, starts } = sourceOfRun(content, run);
  const texts = starts.map((): string[] => []);
  let item = 0;
  for (const { block, text } of read(source)) {
    while ((starts[item + 1] ?? Infinity) <= block.start) item += 1;
    if (text !== '') texts[item]?.push(text);
    yield;
  }
  const joined = texts.map((blocks) => blocks.join('\n'));
  const ofContent = known.get(content) ?? new Map<number, readonly string[]>();
  known.set(content, ofContent.set(run.first, joined));
  return joined;
}

/** Returns the text of each item of a run as it is shown. */
export function runTexts(content: Vector<ContentItem>, run: Run): readonly string[] {
  const steps = readRunTexts(content, run);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Returns the text of an item of a run as it is shown; `undefined` of an item without a format. */
export function shownTextAt(content: Vector<ContentItem>, index: number): string | undefined {
  if (formatOf(itemAt(content, index) ?? {}) === null) return undefined;
  const run = markdownRuns(content).find(({ end }) => index < end);
  return run && runTexts(content, run)[index - run.first];
}
