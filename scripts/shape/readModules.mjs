import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { globSync } from 'tinyglobby';
import { parseSync } from 'vite';

/** Where source files are; generated and installed ones are not among them. */
const SOURCES = [
  '{src,tools,platform,hostauth,bench,soak,tests,scripts,packaging,examples,bin}/**/*.{ts,tsx,mjs,css}',
  '*.config.ts',
];

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
 * Reads and parses all source files of the project.
 *
 * @param {string} root the project's folder
 * @returns {Map<string, { lines: number, functions: object[], imports: string[] }>} by path. `imports`: the paths of the
 *   project's own files that the file imports, without built ones (`out/`), which a clean clone has not.
 * @throws {Error} when a file is not valid or an import of our own finds no file
 */
export function readModules(root) {
  const paths = globSync(SOURCES, {
    cwd: root,
    ignore: ['**/node_modules/**', '**/out/**'],
  });
  const aliases = Object.entries(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports ?? {});
  const resolve = (specifier, from) => {
    const path = ownPath(specifier, from, aliases);
    if (path === undefined || path.startsWith('out/')) return [];
    const isFile = existsSync(join(root, path)) && statSync(join(root, path)).isFile();
    if (!isFile) throw new Error(`${from}: cannot find ${specifier}`);
    return [path];
  };
  return new Map(
    paths.toSorted().map((path) => {
      const parsed = parseSourceFile(path, readFileSync(join(root, path), 'utf8'));
      const imports = parsed.imports.flatMap((specifier) => resolve(specifier, path));
      return [path, { ...parsed, imports: [...new Set(imports)] }];
    }),
  );
}

/** Resolves a specifier to a path relative to the project; `undefined` for packages. */
function ownPath(specifier, from, aliases) {
  const [bare] = specifier.split('?');
  if (bare.startsWith('.')) return join(dirname(from), bare);
  for (const [pattern, target] of aliases) {
    const prefix = pattern.replace('*', '');
    if (bare.startsWith(prefix)) return join(target.replace('*', bare.slice(prefix.length)));
  }
  return undefined;
}

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
function parseSourceFile(path, text) {
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
