import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { build } from 'vite';
import { walkCaptures } from '../read/walkCaptures.ts';
import { all, temporaryFolder } from '../testing/files.ts';
import type { CaptureResult } from './captureResult.ts';
import { type ResultRecord, recordOf } from './resultRecord.ts';
import { withoutIndices } from './signature.ts';
import { CHECKOUT } from './testing/checkout.ts';
import { SEEDED_MUTATIONS, type SeededMutation, withMutation } from './testing/mutations.ts';
import { verifyCaptures } from './verifyCaptures.ts';

/** Bundles the worker of `verify` with a mutation of the replayed code. Returns its file. */
async function mutatedWorker({ file, ...mutation }: SeededMutation): Promise<string> {
  const at = await temporaryFolder();
  symlinkSync(join(CHECKOUT, 'node_modules'), at('node_modules'));
  await build({
    configFile: false,
    envDir: false,
    root: CHECKOUT,
    logLevel: 'silent',
    plugins: [
      {
        name: 'mutate',
        enforce: 'pre',
        transform: (code, id) => (id === join(CHECKOUT, file) ? withMutation(code, mutation) : undefined),
      },
    ],
    // Packages are not bundled: that takes most of the time.
    ssr: { external: true },
    build: {
      ssr: join(CHECKOUT, 'tools/replay/verify/verifyWorker.ts'),
      outDir: at('out'),
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'worker.mjs' } },
    },
  });
  return at('out/worker.mjs');
}

/** The first failures are enough: all captures take much longer. */
const FAILURES = 10;

/** Verifies the repository's corpus; returns the first failures. */
async function failuresOf(workerFile: string): Promise<ResultRecord[]> {
  const captures = (await all(walkCaptures([join(CHECKOUT, 'tests/captures')]))).map(({ path }) => path);
  const failures: CaptureResult[] = [];
  for await (const result of verifyCaptures(captures, { workerFile, workers: 1 })) {
    if (result.outcome !== 'same') failures.push(result);
    if (failures.length === FAILURES) break;
  }
  return failures.map(recordOf);
}

/** Returns the kind and the effect of the update at which a capture fails. */
const placeOf = ({ difference }: ResultRecord): string =>
  difference?.update === undefined ? 'the end' : `${difference.update.kind}, ${difference.update.effect}`;

/** Returns the path that the report of a failure names first. */
function leadOf({ difference, problem = '' }: ResultRecord): string {
  if (difference === undefined) return problem;
  const { mutated, queue, state, end, ended = [] } = difference;
  if (queue !== undefined) return `${queue.fault} at ${withoutIndices(queue.path)}`;
  if (mutated !== undefined)
    return `mutates ${withoutIndices(mutated.path) || 'an object outside the state'}`;
  return withoutIndices([...state, ...end, ...ended][0]?.path ?? '');
}

test.each(SEEDED_MUTATIONS.map((one) => [one.name, one] as const))(
  'verify of the corpus fails, with a path that leads to the cause, when %s',
  async (_, mutation) => {
    const failures = await failuresOf(await mutatedWorker(mutation));
    expect(failures.map(placeOf)).toContain(mutation.at);
    expect([...new Set(failures.map(leadOf))].sort()).toEqual(mutation.leads);
    expect(failures.map(({ outcome }) => outcome)).toEqual(failures.map(() => 'differs'));
  },
);
