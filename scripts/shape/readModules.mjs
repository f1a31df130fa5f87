import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { globSync } from 'tinyglobby';
import { parseSourceFile } from './parseSourceFile.mjs';

/** Where source files are; generated and installed ones are not among them. */
const SOURCES = [
  '{src,tools,hostauth,bench,soak,tests,scripts,packaging}/**/*.{ts,tsx,mjs,css}',
  '*.config.ts',
];

/**
 * Reads and parses all source files of the project.
 *
 * @param {string} root the project's folder
 * @returns {Map<string, { lines: number, functions: object[], imports: string[] }>} by path. `imports`: the paths of the
 *   project's own files that the file imports.
 * @throws {Error} when a file is not valid or an import of our own finds no file
 */
export function readModules(root) {
  const paths = globSync(SOURCES, {
    cwd: root,
    ignore: ['**/node_modules/**', '**/out/**', '**/fixtures/**'],
  });
  const aliases = Object.entries(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports ?? {});
  const resolve = (specifier, from) => {
    const path = ownPath(specifier, from, aliases);
    if (path === undefined) return [];
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
