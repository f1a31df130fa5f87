import type { Profiler } from 'node:inspector';
import { pathToFileURL } from 'node:url';
import type { SourceLine, StepLines } from '#shared/ipc/sourceLines.ts';
import { type Adapter, isStoreAdapter } from '../adapter/checkAdapter.ts';
import { loadAdapter } from '../adapter/loadAdapter.ts';
import { type BundledSources, isOwnSource, readBundledSources } from '../coverage/bundledSources.ts';
import { countsOf, startPreciseCoverage } from '../coverage/reachedBranches.ts';
import { createEngine } from '../engine/createEngine.ts';
import type { SessionAdapter } from '../engine/sessionAdapter.ts';
import { adapterApp } from '../inspector/model/apps/adapter.ts';
import type { WalkedStep } from '../inspector/model/trace/stepWalker.ts';
import type { StoreAdapter } from '../store/storeAdapter.ts';

/** A bundle that exports an adapter, with its source map inside, and the folder to which the files of its sources are relative. */
export interface AppBundle {
  readonly bundle: string;
  readonly root: string;
}

/**
 * Loads the code of an app once more, counted by V8: what it runs can be read after each step. The way to a step is that of code that is not counted.
 * @throws {UsageError} when the bundle cannot be loaded.
 */
export async function loadCountedApp({ bundle, root }: AppBundle) {
  const take = startPreciseCoverage();
  const search = '?counted';
  const adapter = await loadAdapter(bundle, bundle, search);
  const linesIn = ranLinesOf(readBundledSources(bundle, root), `${pathToFileURL(bundle).href}${search}`);
  const session = isStoreAdapter(adapter) ? undefined : sessionOf(adapter);
  return {
    adapter,
    /** Returns the lines that ran since the last call. */
    lines: (): SourceLine[] => linesIn(take()),
    /** Runs a step again, from the state before it, and returns the lines that ran. The app of a store runs before its steps: it has none. */
    linesOf({ before, release, record }: Pick<WalkedStep, 'before' | 'release' | 'record'>): SourceLine[] {
      if (session === undefined) return [];
      const engine = createEngine(session, { start: before });
      take();
      try {
        if (release === undefined) engine.take(record);
        else engine.pass(record, 1);
      } catch {
        // Code that throws at the step ran until there.
      }
      return linesIn(take());
    },
  };
}

/** Returns the session of an adapter as the inspector has it: an exception of the app is no end. */
export const sessionOf = (adapter: Exclude<Adapter, StoreAdapter>): SessionAdapter =>
  'take' in adapter ? adapter : adapterApp(adapter);

/** Returns the lines that did not run in another step; all when there is no other one, or when it ran them too. */
export function stepLines(lines: SourceLine[], others: readonly SourceLine[] = []): StepLines {
  const known = new Set(others.map(({ file, line }) => `${file}:${line}`));
  const different = lines.filter(({ file, line }) => !known.has(`${file}:${line}`));
  if (others.length === 0 || different.length === 0) return { of: 'all', lines };
  return { of: 'difference', lines: different };
}

/** A word or a sign of a bundle, and its line in the sources. */
type LinePart = Pick<SourceLine, 'file' | 'line'> & { readonly offset: number };

/** A word, or a sign of the code. */
const TOKEN = /[\w$]+|[^\s\w$]/g;

/** Creates a function that returns the lines of the sources that a profile counts, in the order of the bundle. @param url how the profile names the bundle. */
function ranLinesOf(bundle: BundledSources, url: string) {
  const lines = linesOfCode(bundle);
  return (profile: readonly Profiler.ScriptCoverage[]): SourceLine[] => {
    // Vitest encodes the search of a URL.
    const script = profile.find((one) => decodeURIComponent(one.url) === decodeURIComponent(url));
    const counts = countsOf(script, bundle.code.length);
    const found = new Map<string, SourceLine>();
    for (const { start, end, parts } of lines) {
      if (!hasRun(counts, start, end)) continue;
      for (const { offset, file, line } of parts()) {
        const key = `${file}:${line}`;
        if (counts[offset] === 0 || found.has(key)) continue;
        const text = bundle.linesOf(file)[line - 1]?.trim() ?? '';
        if (!/\w/.test(text)) continue;
        const name = functionAt(script, offset) ?? declarationAt(bundle, file, line);
        found.set(key, { file, line, function: name, text });
      }
    }
    return [...found.values()];
  };
}

function hasRun(counts: Uint32Array, start: number, end: number): boolean {
  for (let offset = start; offset < end; offset++) if (counts[offset] !== 0) return true;
  return false;
}

/** Returns the lines of a bundle. Few of them run in a step, so the words and signs of a line are found when they are needed. */
function linesOfCode(bundle: BundledSources) {
  let next = 0;
  return bundle.code.split('\n').map((text, index) => {
    const start = next;
    next += text.length + 1;
    let known: readonly LinePart[] | undefined;
    const parts = () => (known ??= linePartsOf(bundle, { text, number: index + 1, start }));
    return { start, end: next, parts };
  });
}

interface CodeLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** Its offset in the bundle. */
  readonly start: number;
}

/** Returns the words and signs of an app's own sources in a line. A line can contain a function, which runs apart from the rest of the line. */
function linePartsOf({ placeOf }: BundledSources, { text, number, start }: CodeLine): LinePart[] {
  const parts: LinePart[] = [];
  for (const token of text.matchAll(TOKEN)) {
    const place = placeOf(number, token.index);
    // A line of a bundle is of one module.
    if (place !== undefined && !isOwnSource(place)) break;
    if (place !== undefined) parts.push({ offset: start + token.index, file: place.file, line: place.line });
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
