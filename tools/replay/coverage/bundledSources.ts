import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

/** A place in a source file. */
export interface SourcePlace {
  /** Relative to the root of the sources. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

const MAP_URL = /\n\/\/# sourceMappingURL=(?:data:[^,]*,(?<data>[\w+/=]+)|(?<beside>.*))\s*$/;

/** Reads a bundled module with its source map. @param root the folder to which the files are relative. */
export function readBundledSources(path: string, root: string) {
  const code = readFileSync(path, 'utf8');
  const { data = '', beside } = MAP_URL.exec(code)?.groups ?? {};
  const text = beside === undefined ? Buffer.from(data, 'base64') : readFileSync(join(dirname(path), beside));
  // The bundler wrote it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const payload = JSON.parse(text.toString()) as ConstructorParameters<typeof SourceMap>[0];
  const map = new SourceMap(payload);
  const nameOf = (source: string) => relative(root, resolve(dirname(path), source));
  const linesAt = (index: number) => payload.sourcesContent[index]?.split('\n') ?? [];
  const lines = new Map(payload.sources.map((source, i) => [nameOf(source), linesAt(i)]));
  return {
    code,
    /** Returns the place in the sources of a line, from 1, and a column, from 0, of the module; `undefined` when the line has none. */
    placeOf(line: number, column: number): SourcePlace | undefined {
      const entry = map.findEntry(line - 1, column);
      if (!('originalSource' in entry) || entry.generatedLine !== line - 1) return undefined;
      const { originalSource, originalLine, originalColumn } = entry;
      return { file: nameOf(originalSource), line: originalLine + 1, column: originalColumn + 1 };
    },
    /** Returns the lines of a source. */
    linesOf: (file: string): readonly string[] => lines.get(file) ?? [],
  };
}

export type BundledSources = ReturnType<typeof readBundledSources>;

/** Returns whether a source is an app's own: neither a package's nor the bundler's, whose names begin with a zero. */
export const isOwnSource = ({ file }: Pick<SourcePlace, 'file'>): boolean =>
  !file.includes('node_modules/') && !file.includes('\0');
