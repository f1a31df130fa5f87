/**
 * Finds the cycles of a directed graph: its strongly connected components of more than one node (Tarjan's algorithm).
 *
 * @param {ReadonlyMap<string, Iterable<string>>} graph each node with the nodes that it points to
 * @returns {string[][]} each cycle's nodes, sorted
 */
export function findCycles(graph) {
  const order = new Map();
  const low = new Map();
  const stack = [];
  const isOnStack = new Set();
  const cycles = [];

  const visit = (node) => {
    order.set(node, order.size);
    low.set(node, order.get(node));
    stack.push(node);
    isOnStack.add(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (isOnStack.has(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== order.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    for (const member of component) isOnStack.delete(member);
    if (component.length > 1) cycles.push(component.toSorted((a, b) => (a < b ? -1 : 1)));
  };

  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return cycles;
}
