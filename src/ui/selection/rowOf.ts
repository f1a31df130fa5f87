/** Returns the index of the row that contains a node, or `undefined`. */
export function rowOf(node: Node | null): number | undefined {
  if (node === null) return undefined;
  const element = node instanceof Element ? node : node.parentElement;
  const row = element?.closest<HTMLElement>('[data-row]')?.dataset['row'];
  return row === undefined ? undefined : Number(row);
}
