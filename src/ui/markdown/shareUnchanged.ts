import type { Block, ListItem, Row } from './syntax.ts';

/** Returns a block in which the parts that are equal to those of the block before are the same objects; the whole block before when all are. */
export function shareUnchanged(before: Block | undefined, after: Block): Block {
  if (before === undefined || before === after) return after;
  switch (after.type) {
    case 'quote':
    case 'note': {
      if (before.type !== after.type) return after;
      const blocks = shareList(before.blocks, after.blocks, shareUnchanged);
      const isSame = blocks === before.blocks && hasSameFields(before, after);
      return isSame ? before : { ...after, blocks };
    }
    case 'list': {
      if (before.type !== after.type) return after;
      const items = shareList(before.items, after.items, shareItem);
      return items === before.items && before.start === after.start ? before : { ...after, items };
    }
    case 'table': {
      if (before.type !== after.type) return after;
      const rows = shareList(before.rows, after.rows, shareRow);
      const head = shareRow(before.head, after.head);
      const align = before.align.join() === after.align.join() ? before.align : after.align;
      const isSame = rows === before.rows && head === before.head && align === before.align;
      return isSame ? before : { ...after, align, head, rows };
    }
    case 'code':
    case 'definition':
    case 'heading':
    case 'math':
    case 'paragraph':
    case 'rule':
    case 'source':
      return hasSameFields(before, after) ? before : after;
    default:
      return after satisfies never;
  }
}

/** Returns whether two blocks have the same fields; lists in them are left out. */
const hasSameFields = (before: Block, after: Block): boolean =>
  before.type === after.type &&
  Object.entries(after).every(([name, value]) =>
    typeof value === 'object' && value !== null ? true : Reflect.get(before, name) === value,
  );

function shareItem(before: ListItem | undefined, after: ListItem): ListItem {
  if (before === undefined || before === after) return after;
  const blocks = shareList(before.blocks, after.blocks, shareUnchanged);
  return blocks === before.blocks && before.checked === after.checked ? before : { ...after, blocks };
}

const shareRow = (before: Row | undefined, after: Row): Row =>
  before?.length === after.length && after.every((cell, at) => cell === before[at]) ? before : after;

/** Returns the list before when all its parts are shared. */
function shareList<T>(
  before: readonly T[],
  after: readonly T[],
  share: (before: T | undefined, after: T) => T,
): readonly T[] {
  const shared = after.map((one, at) => share(before[at], one));
  return shared.length === before.length && shared.every((one, at) => one === before[at]) ? before : shared;
}
