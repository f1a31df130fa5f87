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
 * Parses a source file. Blank lines, and lines with nothing but a comment, do not count as lines.
 *
 * @param {string} path relative to the project; its extension selects the language
 * @param {string} text
 * @returns {{ lines: number, imports: string[], functions: { line: number, lines: number }[] }} `imports`: the specifiers
 *   of all imports and re-exports, type-only ones included; none for CSS. `functions`: the line at which each one starts, and
 *   its length.
 * @throws {Error} when the text is not valid
 */
export function parseSourceFile(path, text) {
  if (path.endsWith('.css'))
    return { lines: countLines(text.replaceAll(/\/\*[^]*?\*\//g, blank)), imports: [], functions: [] };
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const code = withoutComments(text, comments);
  const imports = [];
  const functions = [];
  for (const node of nodesOf(program)) {
    const specifier = IMPORTS.has(node.type) ? node.source?.value : undefined;
    if (typeof specifier === 'string') imports.push(specifier);
    if (FUNCTIONS.has(node.type))
      functions.push({
        line: text.slice(0, node.start).split('\n').length,
        lines: countLines(code.slice(node.start, node.end)),
      });
  }
  return { lines: countLines(code), imports, functions };
}

/** Yields a syntax tree's nodes, parents first. */
function* nodesOf(value) {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.type === 'string') yield value;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

const blank = (comment) => comment.replaceAll(/\S/g, ' ');

/** Replaces comments by spaces, so that offsets stay. */
const withoutComments = (text, comments) =>
  comments.reduce(
    (code, { start, end }) => code.slice(0, start) + blank(code.slice(start, end)) + code.slice(end),
    text,
  );

const countLines = (code) => code.split('\n').filter((line) => line.trim() !== '').length;
