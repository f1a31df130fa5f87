import { pathToFileURL } from 'node:url';
import type { SourceLine, StepLines } from '#shared/ipc/sourceLines.ts';
import { type Adapter, isStoreAdapter } from '../adapter/checkAdapter.ts';
import { loadAdapter } from '../adapter/loadAdapter.ts';
import { readBundledSources } from '../coverage/bundledSources.ts';
import { startPreciseCoverage } from '../coverage/reachedBranches.ts';
import { createEngine } from '../engine/createEngine.ts';
import type { SessionAdapter } from '../engine/sessionAdapter.ts';
import { adapterApp } from '../inspector/model/apps/adapter.ts';
import type { WalkedStep } from '../inspector/model/trace/stepWalker.ts';
import type { StoreAdapter } from '../store/storeAdapter.ts';
import { ranLinesOf } from './ranLines.ts';

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
    linesOf({ before, release, record }: WalkedStep): SourceLine[] {
      if (session === undefined) return [];
      const engine = createEngine(session, { start: before });
      take();
      if (release === undefined) engine.take(record);
      else engine.pass(record, 1);
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
