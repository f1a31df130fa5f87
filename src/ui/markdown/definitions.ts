import { normalizeLabel } from './markdownIt.ts';
import { type Block, type Definitions, NO_DEFINITIONS, blocksIn } from './syntax.ts';

export const NO_LABELS: ReadonlySet<string> = new Set();

const LABEL = /\[((?:[^[\]\\]|\\.){1,999})\]/gsu;

/** Returns the labels in a source that may refer to a definition, normalized; those of footnotes begin with `^`. */
export function labelsIn(source: string): ReadonlySet<string> {
  if (!source.includes('[')) return NO_LABELS;
  const labels = Array.from(source.matchAll(LABEL), ([, label = '']) => normalizeLabel(label));
  return labels.length === 0 ? NO_LABELS : new Set(labels);
}

/** Returns definitions with those in blocks that follow: the first one of a label counts. Returns the same object when there is no other. */
export function withDefinitions(before: Definitions, blocks: readonly Block[]): Definitions {
  const links = new Map<string, string>();
  const notes = new Map<string, number>();
  const collect = (block: Block): void => {
    if (block.type === 'definition' && !before.links.has(block.label) && !links.has(block.label))
      links.set(block.label, block.address);
    if (block.type === 'note') {
      const label = normalizeLabel(block.label);
      if (!before.notes.has(label) && !notes.has(label)) notes.set(label, before.notes.size + notes.size + 1);
    }
    blocksIn(block).forEach(collect);
  };
  blocks.forEach(collect);
  if (links.size === 0 && notes.size === 0) return before;
  return { links: new Map([...before.links, ...links]), notes: new Map([...before.notes, ...notes]) };
}

/** Returns the definitions of labels; the object of before when they are the same. */
export function scopeOf(
  labels: ReadonlySet<string>,
  { links, notes }: Definitions,
  before: Definitions,
): Definitions {
  const own = { links: new Map<string, string>(), notes: new Map<string, number>() };
  // The labels of a block are few, and the definitions of an answer may be many.
  for (const label of labels) {
    const address = links.get(label);
    if (address !== undefined) own.links.set(label, address);
    const number = label.startsWith('^') ? notes.get(label.slice(1)) : undefined;
    if (number !== undefined) own.notes.set(label.slice(1), number);
  }
  if (isSameMap(own.links, before.links) && isSameMap(own.notes, before.notes)) return before;
  return own.links.size === 0 && own.notes.size === 0 ? NO_DEFINITIONS : own;
}

const isSameMap = <T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>): boolean =>
  a.size === b.size && Array.from(a).every(([label, value]) => b.get(label) === value);
