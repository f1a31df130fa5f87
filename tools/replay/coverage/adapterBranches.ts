import { readFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { type ModuleBranches, type Payload, allBranches } from './loadBranches.ts';

const INLINE_MAP =
  /\n\/\/# sourceMappingURL=data:application\/json;charset=utf-8;base64,(?<map>[\w+/=]+)\s*$/;

/**
 * Finds the branches of an adapter's own sources in its bundle: all except those of packages.
 * @throws {UsageError} when the bundle has no source map.
 */
export function adapterBranches(file: string): ModuleBranches {
  const code = readFileSync(file, 'utf8');
  const encoded = INLINE_MAP.exec(code)?.groups?.map;
  if (encoded === undefined) throw new UsageError(`${file}: the bundle of the adapter has no source map`);
  // The bundler wrote it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const map = JSON.parse(Buffer.from(encoded, 'base64').toString()) as Payload;
  const fileOf = (source: string) => relative(process.cwd(), resolve(dirname(file), source));
  const branches = allBranches(code, map, fileOf).filter(({ file: source }) => isOwn(source));
  return { name: basename(file), length: code.length, branches };
}

/** The bundler's own sources have names that begin with a zero. */
const isOwn = (source: string): boolean => !source.includes('node_modules/') && !source.includes('\0');
