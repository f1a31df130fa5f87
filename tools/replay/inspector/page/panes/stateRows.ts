import type { InspectorClient } from '../../protocol/client.ts';
import type { Branch, TreeNode } from '../../protocol/protocol.ts';

/** A row of the tree. */
export interface StateRow {
  readonly node: TreeNode;
  readonly level: number;
  /** Its position among its siblings, from 1. */
  readonly place: number;
  readonly siblings: number;
  /** `undefined` for a leaf. */
  readonly expanded: boolean | undefined;
  /** The number of entries that this row represents and that are not shown yet. */
  readonly more?: number;
  /** Whether these are the entries before the first one that is shown. */
  readonly isBefore?: boolean;
}

/** The expanded part of the tree of a step. */
export interface StateTree {
  readonly client: InspectorClient;
  readonly branch: Branch;
  readonly step: number;
  readonly unfolded: ReadonlySet<string>;
  /** The shown entries of each place of which these are not the first ones. */
  readonly parts: ReadonlyMap<string, ListPart>;
}

/** The shown entries of a list: `from` included, `to` excluded. */
export interface ListPart {
  readonly from: number;
  readonly to: number;
}

/** The number of entries of a list that are shown at first, and that each request adds. */
export const ENTRIES = 100;

interface Parent {
  readonly path: string;
  readonly size: number;
  readonly level: number;
}

/** Returns every row to show, from the top. */
export async function stateRows(tree: StateTree): Promise<StateRow[]> {
  const fields = await childrenOf(tree, '', { from: 0, to: ENTRIES });
  const nested = await Promise.all(
    fields.map((node, i) => rowsOf(tree, { node, level: 1, place: i + 1, siblings: fields.length })),
  );
  return nested.flat();
}

const childrenOf = ({ client, branch, step }: StateTree, path: string, part: ListPart) =>
  client.request('children', { branch, step, path, ...part });

/** Returns the row of an entry and the expanded rows below it. */
async function rowsOf(tree: StateTree, row: Omit<StateRow, 'expanded'>): Promise<StateRow[]> {
  const { path, size } = row.node;
  if (size === 0) return [{ ...row, expanded: undefined }];
  if (!tree.unfolded.has(path)) return [{ ...row, expanded: false }];
  return [{ ...row, expanded: true }, ...(await rowsUnder(tree, { path, size, level: row.level + 1 }))];
}

async function rowsUnder(tree: StateTree, { path, size, level }: Parent): Promise<StateRow[]> {
  const wanted = tree.parts.get(path) ?? { from: 0, to: ENTRIES };
  const part = { from: wanted.from < size ? wanted.from : 0, to: Math.min(size, wanted.to) };
  const children = await childrenOf(tree, path, part);
  const nested = await Promise.all(
    children.map((node, i) => rowsOf(tree, { node, level, place: part.from + i + 1, siblings: size })),
  );
  const more = (count: number, isBefore: boolean) =>
    count > 0 ? [moreRow(path, { level, siblings: size, more: count, isBefore })] : [];
  return [...more(part.from, true), ...nested.flat(), ...more(size - part.to, false)];
}

type More = Required<Pick<StateRow, 'level' | 'siblings' | 'more' | 'isBefore'>>;

const moreRow = (path: string, row: More): StateRow => ({
  ...row,
  node: { path, key: '', type: 'null', size: 0, preview: '' },
  place: row.isBefore ? row.more : row.siblings,
  expanded: undefined,
});
