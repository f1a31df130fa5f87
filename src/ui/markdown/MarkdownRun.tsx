import { type ReactNode, memo, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { PLACEHOLDER, type Position, positionOf } from '#shared/conversation/display.ts';
import { type Format, type Run, showsNothing, sourceOfRun } from '#shared/conversation/markdownRuns.ts';
import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { ErrorBoundary } from '../base/ErrorBoundary.tsx';
import { ItemOfMessageContext, useExpansion, useFoundIn } from '../base/itemCommands.ts';
import { ItemSource, itemSource } from '../base/ItemSource.tsx';
import { CLIPPED_LENGTH } from '../base/longText.ts';
import { MarkdownBlocks, headingRanks } from './Markdown.tsx';
import { NotesContext } from './Note.tsx';
import type { TopBlock } from './parseMarkdown.ts';
import { useParsed } from './useParsed.ts';

interface Props {
  readonly run: Run & { readonly format: Format };
  readonly content: Vector<ContentItem>;
  /** The index of the message. */
  readonly message: number;
  /** Whether more of it follows. */
  readonly isGrowing: boolean;
}

/**
 * Draws a run of Markdown, or of reasoning, as one card. A block is in the item in which it begins; an item within a block that began earlier is
 * empty.
 */
export function MarkdownRun({ run, content, message, isGrowing }: Props) {
  const { source, starts } = useMemo(() => sourceOfRun(content, run), [content, run]);
  const { blocks } = useParsed(source, isGrowing);
  const ranks = useMemo(() => headingRanks(blocks), [blocks]);
  const isEmpty = source.trim() === '';
  const items = itemBlocks(blocks, starts).map((own, at) => {
    const index = run.first + at;
    const item = itemAt(content, index) ?? {};
    return (
      <RunItem
        key={index}
        item={item}
        format={run.format}
        position={positionOf(index, content.length)}
        message={message}
        index={index}
        start={starts[at] ?? 0}
        blocks={own}
        ranks={ranks}
        isPlaceholder={isEmpty && at === 0}
      />
    );
  });
  if (showsNothing(content, run)) return <div hidden>{items}</div>;
  return (
    <NotesContext value={`message-${message}-${run.first}-`}>
      {run.format === 'markdown' ? (
        <div className="answer">{items}</div>
      ) : (
        <Reasoning run={run} message={message}>
          {items}
        </Reasoning>
      )}
    </NotesContext>
  );
}

/** Returns the blocks that begin in each item. */
function itemBlocks(
  blocks: readonly TopBlock[],
  starts: readonly number[],
): readonly (readonly TopBlock[])[] {
  const items: TopBlock[][] = starts.map(() => []);
  let item = 0;
  for (const block of blocks) {
    while ((starts[item + 1] ?? Infinity) <= block.start) item += 1;
    items[item]?.push(block);
  }
  return items;
}

interface RunItemProps {
  readonly item: ContentItem;
  readonly format: Format;
  readonly position: Position;
  readonly message: number;
  /** The index of the item in its message. */
  readonly index: number;
  /** Where it begins in the source of the run. */
  readonly start: number;
  readonly blocks: readonly TopBlock[];
  readonly ranks: ReturnType<typeof headingRanks>;
  readonly isPlaceholder: boolean;
}

const RunItem = memo(function RunItem(props: RunItemProps) {
  const { item, format, position, index, isPlaceholder } = props;
  const whole = useContext(ItemOfMessageContext);
  const ofMessage = useMemo(() => whole && { ...whole, item: index }, [whole, index]);
  return (
    <div className="item" data-category="text" data-kind="text" data-format={format} data-position={position}>
      <ItemOfMessageContext value={ofMessage}>
        <ErrorBoundary of={item} fallback={<FailedItem item={item} />}>
          {isPlaceholder ? <p className="item-text">{PLACEHOLDER}</p> : <ItemBlocks {...props} />}
        </ErrorBoundary>
      </ItemOfMessageContext>
    </div>
  );
}, isSameItem);

/** Returns whether an item is drawn the same way. Its blocks are in a new list each time. */
function isSameItem(before: RunItemProps, after: RunItemProps): boolean {
  const { blocks: blocksBefore, ranks: ranksBefore, ...others } = before;
  return (
    Object.entries(others).every(([name, value]) => Reflect.get(after, name) === value) &&
    blocksBefore.length === after.blocks.length &&
    blocksBefore.every((one, at) => one === after.blocks[at] && ranksBefore.get(one) === after.ranks.get(one))
  );
}

/** Draws the blocks of an item; of a very long item, the first ones and a button that shows all. */
function ItemBlocks({ item, message, index, start, blocks, ranks }: RunItemProps) {
  const [steps, expand] = useExpansion('text');
  const hit = useFoundIn(message);
  const [wasFound, setFound] = useState(false);
  // It stays whole when the hit is elsewhere: nothing below it moves.
  if (!wasFound && hit?.item === index) setFound(true);
  const isLong = (item.text ?? '').length > CLIPPED_LENGTH;
  const isWhole = !isLong || wasFound || steps > 0;
  const shown = isWhole ? blocks : blocks.filter((one) => one.start < start + CLIPPED_LENGTH);
  return (
    <>
      <MarkdownBlocks blocks={shown} ranks={ranks} />
      {shown.length < blocks.length && (
        <button type="button" className="more" onClick={() => expand(1)}>
          Show all
        </button>
      )}
    </>
  );
}

const FailedItem = ({ item }: { readonly item: ContentItem }) => (
  <>
    <p className="item-text">This item cannot be shown.</p>
    <ItemSource sourceOf={() => itemSource(item)} />
  </>
);

interface ReasoningProps extends Pick<Props, 'run' | 'message'> {
  readonly children: ReactNode;
}

/** Draws reasoning, closed until the person opens it or a hit is in it. */
function Reasoning({ run: { first, end }, message, children }: ReasoningProps) {
  const element = useRef<HTMLDetailsElement>(null);
  const hit = useFoundIn(message);
  const isFound = hit !== null && hit.item >= first && hit.item < end;
  useEffect(() => {
    if (isFound && element.current !== null) element.current.open = true;
  }, [isFound]);
  return (
    <details ref={element} className="answer reasoning">
      <summary>Reasoning</summary>
      {children}
    </details>
  );
}
