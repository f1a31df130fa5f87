import type { Message } from '#shared/conversation/conversation.ts';
import { isRunning } from '#shared/conversation/display.ts';
import { type Run, formatOf, markdownRuns, sourceOfRun } from '#shared/conversation/markdownRuns.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import { createMarkdownReader } from './markdownText.ts';

/** The texts of the runs of messages, by the index of the first item. */
const known = new WeakMap<Message, Map<number, readonly string[]>>();

const read = createMarkdownReader();

/**
 * Returns the text of each item of a run of a message as it is shown: of the blocks that begin in the item. Yields where the work can pause. Runs are read
 * once.
 */
export function* readRunTexts(message: Message, run: Run): Generator<void, readonly string[]> {
  const before = known.get(message)?.get(run.first);
  if (before !== undefined) return before;
  const content = message.content ?? emptyVector();
  const { source, starts } = sourceOfRun(content, run);
  const texts = starts.map((): string[] => []);
  let item = 0;
  for (const { block, text } of read(source, isGrowing(message, run))) {
    while ((starts[item + 1] ?? Infinity) <= block.start) item += 1;
    if (text !== '') texts[item]?.push(text);
    yield;
  }
  const joined = texts.map((blocks) => blocks.join('\n'));
  const ofMessage = known.get(message) ?? new Map<number, readonly string[]>();
  known.set(message, ofMessage.set(run.first, joined));
  return joined;
}

/** Returns whether more of a run follows: then its end is drawn as if it were complete. */
export const isGrowing = ({ content, context = '' }: Message, { end }: Run): boolean =>
  end === content?.length && isRunning(context);

/** Returns the text of each item of a run as it is shown. */
export function runTexts(message: Message, run: Run): readonly string[] {
  const steps = readRunTexts(message, run);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Returns the text of an item of a run as it is shown; `undefined` of an item without a format. */
export function shownTextAt(message: Message, index: number): string | undefined {
  const content = message.content ?? emptyVector();
  if (formatOf(itemAt(content, index) ?? {}) === null) return undefined;
  const run = markdownRuns(content).find(({ end }) => index < end);
  return run && runTexts(message, run)[index - run.first];
}
