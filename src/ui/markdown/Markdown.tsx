import { memo, useContext } from 'react';
import { ClippedText } from '../base/ClippedText.tsx';
import { Code } from './Code.tsx';
import { DefinitionsContext, Line } from './Line.tsx';
import { Formula } from './Formula.tsx';
import { Note } from './Note.tsx';
import { normalizeLabel } from './markdownIt.ts';
import { Scroller, StaticContext } from './Scroller.tsx';
import { type TopBlock, parseMarkdown } from './parseMarkdown.ts';
import type { Block, ListBlock, ListItem, Row, TableBlock } from './syntax.ts';

/**
 * Draws a whole source outside of the window: in an exported file, on paper, or in another program. Without buttons, and without what only the window's
 * style sheet hides. Call `loadMath` before it: formulas are their source otherwise.
 */
export const StaticMarkdown = ({ source }: { readonly source: string }) => {
  const { blocks } = parseMarkdown(source);
  return (
    <StaticContext value>
      <MarkdownBlocks blocks={blocks} ranks={headingRanks(blocks)} />
    </StaticContext>
  );
};

interface BlocksProps {
  readonly blocks: readonly TopBlock[];
  /** The ranks of the headings among them, and maybe among others. */
  readonly ranks: Ranks;
}

/** Draws blocks of a parsed source. A block that keeps its reference is not drawn again. */
export const MarkdownBlocks = ({ blocks, ranks }: BlocksProps) =>
  blocks.map((block) => <Top key={block.start} block={block} rank={ranks.get(block)} />);

interface TopProps {
  readonly block: TopBlock;
  readonly rank: Rank | undefined;
}

const Top = memo(function Top({ block: { block, definitions }, rank }: TopProps) {
  return (
    <DefinitionsContext value={definitions}>
      <BlockView block={block} rank={rank} />
    </DefinitionsContext>
  );
});

const RANKS = ['h2', 'h3', 'h4', 'h5', 'h6'] as const;

type Rank = (typeof RANKS)[number];
type Ranks = ReadonlyMap<TopBlock, Rank>;

/** Returns the elements of headings: below the window's own heading, and without gaps, which assistants leave often. */
export function headingRanks(blocks: readonly TopBlock[]): Ranks {
  const ranks = new Map<TopBlock, Rank>();
  const above: number[] = [];
  for (const top of blocks) {
    if (top.block.type !== 'heading') continue;
    const { level } = top.block;
    while ((above.at(-1) ?? 0) >= level) above.pop();
    ranks.set(top, RANKS[above.length] ?? 'h6');
    above.push(level);
  }
  return ranks;
}

interface BlockProps {
  readonly block: Block;
  /** A heading within another block has none: it is a paragraph, and none of the headings of the answer. */
  readonly rank?: Rank | 'p' | undefined;
}

const BlockView = memo(function BlockView({ block, rank: Tag = 'p' }: BlockProps) {
  switch (block.type) {
    case 'paragraph':
      return (
        <p dir="auto">
          <Line source={block.text} />
        </p>
      );
    case 'heading':
      return (
        <Tag className="heading" dir="auto" data-level={block.level}>
          <Line source={block.text} />
        </Tag>
      );
    case 'code':
      return <Code block={block} />;
    case 'math':
      return <Formula tex={block.tex} isDisplay isComplete={block.isComplete} />;
    case 'quote':
      return (
        <blockquote dir="auto">
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case 'list':
      return <List block={block} />;
    case 'table':
      return <Table block={block} />;
    case 'rule':
      return <hr />;
    case 'note':
      return <NoteView label={block.label} blocks={block.blocks} />;
    case 'definition':
      return null;
    case 'source':
      return <ClippedText text={block.text} />;
    default:
      return block satisfies never;
  }
});

/** Blocks only ever grow at their end, so an index identifies a block. */
const Blocks = ({ blocks }: { readonly blocks: readonly Block[] }) =>
  // oxlint-disable-next-line react/no-array-index-key
  blocks.map((block, index) => <BlockView key={index} block={block} />);

function NoteView({ label, blocks }: { readonly label: string; readonly blocks: readonly Block[] }) {
  const { notes } = useContext(DefinitionsContext);
  return (
    <Note number={notes.get(normalizeLabel(label))}>
      <Blocks blocks={blocks} />
    </Note>
  );
}

/** The number of items or rows that are compared one by one; a longer list or table is drawn in groups of this size. */
const GROUP_LENGTH = 50;

/** Splits a list into groups. */
const groupsOf = <T,>(list: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / GROUP_LENGTH) }, (_, at) =>
    list.slice(at * GROUP_LENGTH, (at + 1) * GROUP_LENGTH),
  );

/** Returns whether two groups have the same parts: most of those of a growing list. */
const isSameGroup = <T,>(before: { readonly group: readonly T[] }, after: { readonly group: readonly T[] }) =>
  before.group.length === after.group.length && before.group.every((one, at) => one === after.group[at]);

/** Draws a list; a very long one as several, so that the browser lays out only those in view. */
function List({ block: { start, items } }: { readonly block: ListBlock }) {
  if (items.length <= 2 * GROUP_LENGTH) return <Items start={start} group={items} />;
  return (
    <div className="groups" dir="auto">
      {groupsOf(items).map((group, at) => (
        <Items
          // Lists only grow at their end, so an index identifies a group.
          // oxlint-disable-next-line react/no-array-index-key
          key={at}
          className="group"
          start={start === null ? null : start + at * GROUP_LENGTH}
          group={group}
        />
      ))}
    </div>
  );
}

interface ItemsProps {
  readonly start: number | null;
  readonly group: readonly ListItem[];
  readonly className?: string;
}

const Items = memo(
  ({ start, group, className }: ItemsProps) => {
    // oxlint-disable-next-line react/no-array-index-key
    const items = group.map((item, at) => <Item key={at} item={item} />);
    if (start === null)
      return (
        <ul dir="auto" className={className}>
          {items}
        </ul>
      );
    return (
      <ol dir="auto" className={className} start={start}>
        {items}
      </ol>
    );
  },
  (before, after) =>
    before.start === after.start && before.className === after.className && isSameGroup(before, after),
);

const Item = memo(function Item({ item: { blocks, checked } }: { readonly item: ListItem }) {
  return (
    <li dir="auto" className={checked === null ? undefined : 'task'}>
      {checked !== null && (
        <input type="checkbox" checked={checked} disabled aria-label={checked ? 'Done' : 'Not done'} />
      )}
      <Blocks blocks={blocks} />
    </li>
  );
});

function Table({ block: { align, head, rows } }: { readonly block: TableBlock }) {
  return (
    <Scroller className="table">
      <table dir="auto">
        <thead>
          <tr>
            {head.map((cell, at) => (
              // Columns only get added at the end, so an index identifies one.
              // oxlint-disable-next-line react/no-array-index-key
              <th key={at} scope="col" data-align={align[at] ?? undefined}>
                <Line source={cell} />
              </th>
            ))}
          </tr>
        </thead>
        {groupsOf(rows).map((group, at) => (
          // Tables only grow at their end, so an index identifies a group, a row or a cell.
          // oxlint-disable-next-line react/no-array-index-key
          <Rows key={at} group={group} align={align} />
        ))}
      </table>
    </Scroller>
  );
}

interface RowsProps {
  readonly group: readonly Row[];
  readonly align: TableBlock['align'];
}

const Rows = memo(
  ({ group, align }: RowsProps) => (
    <tbody>
      {group.map((row, at) => (
        // oxlint-disable-next-line react/no-array-index-key
        <TableRow key={at} row={row} align={align} />
      ))}
    </tbody>
  ),
  (before, after) => before.align === after.align && isSameGroup(before, after),
);

const TableRow = memo(function TableRow({
  row,
  align,
}: {
  readonly row: Row;
  readonly align: RowsProps['align'];
}) {
  return (
    <tr>
      {row.map((cell, at) => (
        // oxlint-disable-next-line react/no-array-index-key
        <td key={at} data-align={align[at] ?? undefined}>
          <Line source={cell} />
        </td>
      ))}
    </tr>
  );
});
