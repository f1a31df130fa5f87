import { bundleAdapter } from '../adapter/bundleAdapter.ts';
import { adapterBranches } from './adapterBranches.ts';
import { type CoverOptions, replayedModules } from './coverCaptures.ts';

/** The code whose branches are counted. */
interface CoveredCode extends Pick<CoverOptions, 'modules' | 'app'> {
  /** Removes temporary files. */
  readonly remove: () => void;
}

/**
 * Returns the replayed code: Parley's, or that of another app.
 * @param adapter the path of the other app's adapter module.
 * @throws {UsageError} when it is not an adapter.
 */
export async function coveredCode(adapter: string | undefined): Promise<CoveredCode> {
  if (adapter === undefined) return { modules: replayedModules(), app: undefined, remove: () => undefined };
  const { file, remove } = await bundleAdapter(adapter);
  return { modules: [adapterBranches(file)], app: file, remove };
}
