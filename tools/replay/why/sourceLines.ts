import { join } from 'node:path';
import { findSourceLines } from '#node/findSourceLines.ts';
import type { SourceLinesData, StepLines } from '#shared/ipc/sourceLines.ts';
import { bundleAdapter } from '../adapter/loadAdapter.ts';
import { BUILT, CHECKOUT } from '../base/bundleSource.ts';
import { UsageError } from '../base/errors.ts';
import type { AppBundle } from './countedApp.ts';

interface Options extends Pick<SourceLinesData, 'capture' | 'pairs'> {
  /** The path of an adapter's module; Parley by default. */
  readonly app: string | undefined;
}

/**
 * Returns the lines of source that ran in steps: replays a capture again, in a thread whose code V8 counts.
 * @throws {UsageError} when the capture or the adapter cannot be used, or the app's code throws while it is loaded.
 */
export const sourceLines = ({ app, ...options }: Options): Promise<readonly StepLines[]> =>
  withBundle(app, async (bundle) => {
    const result = await findSourceLines(INSPECTOR, { ...bundle, ...options });
    if ('problem' in result) throw new UsageError(result.problem);
    return result.steps;
  });

const INSPECTOR = join(BUILT, 'inspector');

/** Bundles an adapter for as long as it is used. Parley's is built. @throws {UsageError} when the adapter cannot be used. */
export async function withBundle<Result>(
  app: string | undefined,
  use: (bundle: AppBundle) => Promise<Result>,
): Promise<Result> {
  if (app === undefined) return use({ bundle: join(INSPECTOR, 'replayedApp.mjs'), root: CHECKOUT });
  const { file, remove } = await bundleAdapter(app);
  return use({ bundle: file, root: process.cwd() }).finally(remove);
}
