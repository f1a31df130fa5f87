import { parseSync } from 'vite';

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** The node types that name a module in `source`. */
const IMPORTS = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

/**
 * Parses a source file.
 *
 * @param {string} path relative to the project; its extension selects the language
 * @param {string} text
 * @returns {{ lines: number, imports: string[], functions: { line: number, lines: number }[] }} `imports`: the specifiers
 *   of all imports and re-exports, type-only ones included. `functions`: where each one starts and its length in lines.
 * @throws {Error} when the text is not valid
 */
export function parseSourceFile(path, text) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const starts = lineStarts(text);
  const imports = [];
  const functions = [];
  for (const node of nodesOf(program)) {
    const specifier = IMPORTS.has(node.type) ? node.source?.value : undefined;
    if (typeof specifier === 'string') imports.push(specifier);
    if (FUNCTIONS.has(node.type)) {
      const line = lineAt(starts, node.start);
      functions.push({ line, lines: lineAt(starts, node.end) - line + 1 });
    }
  }
  return { lines: text.endsWith('\n') ? starts.length - 1 : starts.length, imports, functions };
}

/** Yields a syntax tree's nodes, parents first. */
function* nodesOf(value) {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.type === 'string') yield value;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Finds the line, from 1, that contains an offset. */
function lineAt(starts, offset) {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
