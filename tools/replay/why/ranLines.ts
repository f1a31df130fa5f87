import type { Profiler } from 'node:inspector';
import type { SourceLine } from '#shared/ipc/sourceLines.ts';
import { type BundledSources, isOwnSource } from '../coverage/bundledSources.ts';
import { countsOf } from '../coverage/reachedBranches.ts';

/** A word or a sign of a bundle, and its line in the sources. */
type LinePart = Pick<SourceLine, 'file' | 'line'> & { readonly offset: number };

/** A word, or a sign of the code. */
const TOKEN = /[\w$]+|[^\s\w$]/g;

/** Creates a function that returns the lines of the sources that a profile counts, in the order of the bundle. @param url how the profile names the bundle. */
export function ranLinesOf(bundle: BundledSources, url: string) {
  const parts = linePartsOf(bundle);
  return (profile: readonly Profiler.ScriptCoverage[]): SourceLine[] => {
    // Vitest encodes the search of a URL.
    const script = profile.find((one) => decodeURIComponent(one.url) === decodeURIComponent(url));
    const counts = countsOf(script, bundle.code.length);
    const found = new Map<string, SourceLine>();
    for (const { offset, file, line } of parts) {
      const key = `${file}:${line}`;
      if (counts[offset] === 0 || found.has(key)) continue;
      const text = bundle.linesOf(file)[line - 1]?.trim() ?? '';
      if (!/\w/.test(text)) continue;
      found.set(key, {
        file,
        line,
        function: functionAt(script, offset) ?? declarationAt(bundle, file, line),
        text,
      });
    }
    return [...found.values()];
  };
}

/** Returns the words and signs of an app's own sources in a bundle. A line can contain a function, which runs apart from the rest of the line. */
function linePartsOf({ code, placeOf }: BundledSources): LinePart[] {
  const parts: LinePart[] = [];
  let before = 0;
  for (const [index, text] of code.split('\n').entries()) {
    for (const token of text.matchAll(TOKEN)) {
      const place = placeOf(index + 1, token.index);
      // A line of a bundle is of one module.
      if (place !== undefined && !isOwnSource(place)) break;
      if (place === undefined) continue;
      parts.push({ offset: before + token.index, file: place.file, line: place.line });
    }
    before += text.length + 1;
  }
  return parts;
}

/** Returns the name of the innermost function around an offset that has one; the bundler adds a number to a name that it has twice. */
function functionAt(script: Profiler.ScriptCoverage | undefined, offset: number): string | undefined {
  let name: string | undefined;
  // A function is after the one around it.
  for (const { functionName, ranges } of script?.functions ?? []) {
    const [{ startOffset, endOffset } = { startOffset: 0, endOffset: 0 }] = ranges;
    if (functionName !== '' && startOffset <= offset && offset < endOffset) name = functionName;
  }
  return name?.replace(/\$\d+$/, '');
}

const DECLARATION = /^(?:export )?(?:default )?(?:const|let|var|function\*?|async function|class) ([\w$]+)/;

/** Returns the name of the last declaration of a module that begins at or before a line. */
function declarationAt({ linesOf }: BundledSources, file: string, line: number): string {
  for (const text of linesOf(file).slice(0, line).toReversed()) {
    const [, name] = DECLARATION.exec(text) ?? [];
    if (name !== undefined) return name;
  }
  return 'the module';
}
