import { readFileSync, readdirSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, join } from 'node:path';
import { type BranchKind, type CodeBranch, findBranches } from './findBranches.ts';
import { isReplayed, makesActions } from './replayedCode.ts';

/** A branch of a source file. */
export interface SourceBranch {
  /** Relative to the root of the sources. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly kind: BranchKind;
  /** The source's line. */
  readonly text: string;
}

/** The branches of one bundled module. */
export interface ModuleBranches {
  /** The name of the module's file. */
  readonly name: string;
  /** The length of its text. */
  readonly length: number;
  readonly branches: readonly (CodeBranch & SourceBranch)[];
}

/** Finds the branches of the replayed code in a folder of bundled modules. The same folder always gives the same list. */
export function loadBranches(folder: string): ModuleBranches[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js.map'))
    .sort()
    .flatMap((mapName) => {
      // The bundler wrote it.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const map = JSON.parse(readFileSync(join(folder, mapName), 'utf8')) as Payload;
      if (!map.sources.some((source) => isReplayed({ file: sourceFile(source), text: '' }))) return [];
      const name = basename(mapName, '.map');
      const code = readFileSync(join(folder, name), 'utf8');
      return { name, length: code.length, branches: sourceBranches(code, map) };
    });
}

/** A source map. */
export type Payload = ConstructorParameters<typeof SourceMap>[0];

/** Finds the branches of a module's sources that a replay can reach, in the order of the module's text. */
export function sourceBranches(code: string, payload: Payload): (CodeBranch & SourceBranch)[] {
  const all = allBranches(code, payload, sourceFile);
  const omitted = all.filter(makesActions);
  return all.filter(
    (branch) => isReplayed(branch) && !omitted.some(({ at, end = at }) => branch.at >= at && branch.at < end),
  );
}

/**
 * Finds the branches of all sources of a module, in the order of the module's text.
 * @param fileOf returns the name of a source, which is a path relative to the module.
 */
export function allBranches(
  code: string,
  payload: Payload,
  fileOf: (source: string) => string,
): (CodeBranch & SourceBranch)[] {
  const place = sourcePlaces(code, payload);
  return findBranches(code).flatMap((branch) => {
    const found = place(branch.at);
    return found === undefined ? [] : [{ ...branch, ...found, file: fileOf(found.file) }];
  });
}

/** Returns the path of a source from the root of the sources; in the map, it is relative to the module. */
const sourceFile = (source: string): string => source.replace(/^(?:\.\.\/)+/, '');

/** Returns a function from offsets in a module to places in its sources. */
function sourcePlaces(code: string, payload: Payload) {
  const map = new SourceMap(payload);
  const lines = new Map(
    payload.sources.map((source, i) => [source, payload.sourcesContent[i]?.split('\n') ?? []]),
  );
  const position = positionsIn(code);
  return (offset: number) => {
    const { line, column } = position(offset);
    const entry = map.findEntry(line, column);
    if (!('originalSource' in entry)) return undefined;
    const { originalSource, originalLine, originalColumn } = entry;
    return {
      file: originalSource,
      line: originalLine + 1,
      column: originalColumn + 1,
      text: lines.get(originalSource)?.[originalLine]?.trim() ?? '',
    };
  };
}

/** Returns a function from offsets in a text to positions, from 0. */
function positionsIn(text: string) {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return (offset: number) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low, column: offset - (starts[low] ?? 0) };
  };
}
