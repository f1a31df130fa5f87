import { parseSync } from 'vite';

/** The functions whose first argument is a title. */
const TITLED = new Set(['describe', 'it', 'suite', 'test']);

/**
 * Reads the tests of a source file from its syntax tree.
 *
 * @param {string} path - Where the file is; its extension selects the syntax.
 * @param {string} source
 * @returns {{ titles: string[], line: number }[]} Each test with its title last, after the titles of the `describe`s
 *   around it. A title is as it is written: `%s` and `$name` stay.
 */
export function readTests(path, source) {
  const { errors, program } = parseSync(path, source);
  if (errors[0] !== undefined) throw new Error(`${path} does not parse: ${errors[0].message}`);
  const found = [];
  visit(program, [], found);
  return found.map(({ titles, start }) => ({
    titles,
    line: source.slice(0, start).split('\n').length,
  }));
}

/** Visits a node and all below it; adds the tests that it finds to `found`. */
function visit(node, titles, found) {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, titles, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const title = titleOf(node);
  const inside = title === undefined ? titles : [...titles, title];
  if (title !== undefined && !isGroup(node)) found.push({ titles: inside, start: node.start });
  for (const child of Object.values(node)) visit(child, inside, found);
}

/** Returns the title of a call like `it('…', …)` or `describe.each(…)('…', …)`. */
function titleOf(node) {
  if (node.type !== 'CallExpression' || !TITLED.has(functionName(node.callee))) return undefined;
  const [title] = node.arguments;
  if (title?.type === 'Literal' && typeof title.value === 'string') return title.value;
  if (title?.type !== 'TemplateLiteral') return undefined;
  return title.quasis.map(({ value }) => value.cooked).join('…');
}

const isGroup = (node) => /^(?:describe|suite)$/u.test(functionName(node.callee));

/** Returns the name that an expression like `it.each(…)` begins with. */
function functionName(node) {
  if (node.type === 'Identifier') return node.name;
  const inner = node.object ?? node.callee ?? node.tag;
  return inner === undefined ? '' : functionName(inner);
}
