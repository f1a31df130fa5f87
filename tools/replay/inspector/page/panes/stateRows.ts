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
}

/** The expanded part of the tree of a step. */
export interface StateTree {
  readonly client: InspectorClient;
  readonly branch: Branch;
  readonly step: number;
  readonly unfolded: ReadonlySet<string>;
  /** The number of shown entries of each place for which the person requested more than the first ones. */
  readonly limits: ReadonlyMap<string, number>;
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
  const fields = await childrenOf(tree, '', ENTRIES);
  const nested = await Promise.all(
    fields.map((node, i) => rowsOf(tree, { node, level: 1, place: i + 1, siblings: fields.length })),
  );
  return nested.flat();
}

const childrenOf = ({ client, branch, step }: StateTree, path: string, to: number) =>
  client.request('children', { branch, step, path, from: 0, to });

/** Returns the row of an entry and the expanded rows below it. */
async function rowsOf(tree: StateTree, row: Omit<StateRow, 'expanded'>): Promise<StateRow[]> {
  const { path, size } = row.node;
  if (size === 0) return [{ ...row, expanded: undefined }];
  if (!tree.unfolded.has(path)) return [{ ...row, expanded: false }];
  return [{ ...row, expanded: true }, ...(await rowsUnder(tree, { path, size, level: row.level + 1 }))];
}

async function rowsUnder(tree: StateTree, { path, size, level }: Parent): Promise<StateRow[]> {
  const shown = Math.min(size, tree.limits.get(path) ?? ENTRIES);
  const children = await childrenOf(tree, path, shown);
  const siblings = shown < size ? shown + 1 : size;
  const nested = await Promise.all(
    children.map((node, i) => rowsOf(tree, { node, level, place: i + 1, siblings })),
  );
  return [
    ...nested.flat(),
    ...(shown < size ? [moreRow(path, { level, siblings, more: size - shown })] : []),
  ];
}

const moreRow = (path: string, row: Pick<StateRow, 'level' | 'siblings'> & { more: number }): StateRow => ({
  ...row,
  node: { path, key: '', type: 'null', size: 0, preview: '' },
  place: row.siblings,
  expanded: undefined,
});
