import type { Profiler } from 'node:inspector';
import type { SourceLine } from '#shared/ipc/sourceLines.ts';
import { type BundledSources, isOwnSource } from '../coverage/bundledSources.ts';
import { countsOf } from '../coverage/reachedBranches.ts';

/** A place of a bundle: from this offset on, its text is that of a line of the sources. */
interface LineStart {
  readonly offset: number;
  readonly file: string;
  readonly line: number;
}

/** A word, or a sign of the code. */
const TOKEN = /[\w$]+|[^\s\w$]/g;

/** Creates a function that returns the lines of the sources that a profile counts, in the order of the bundle. @param url how the profile names the bundle. */
export function ranLinesOf(bundle: BundledSources, url: string) {
  const starts = lineStarts(bundle);
  return (profile: readonly Profiler.ScriptCoverage[]): SourceLine[] => {
    const script = profile.find((one) => one.url === url);
    const counts = countsOf(script, bundle.code.length);
    const found = new Map<string, SourceLine>();
    for (const { offset, file, line } of starts) {
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

/** Returns where the text of each line of an app's own sources begins in a bundle. */
function lineStarts({ code, placeOf }: BundledSources): LineStart[] {
  const starts: LineStart[] = [];
  let before = 0;
  for (const [index, text] of code.split('\n').entries()) {
    for (const token of text.matchAll(TOKEN)) {
      const place = placeOf(index + 1, token.index);
      // A line of a bundle is of one module.
      if (place !== undefined && !isOwnSource(place)) break;
      if (place === undefined) continue;
      const last = starts.at(-1);
      if (last?.file !== place.file || last.line !== place.line)
        starts.push({ offset: before + token.index, file: place.file, line: place.line });
    }
    before += text.length + 1;
  }
  return starts;
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
