import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#shared/clock.ts';
import { pluralize } from '#shared/formatText.ts';
import { bundleProblem } from '../base/bundleSource.ts';
import { UsageError } from '../base/errors.ts';
import type { Output } from '../base/output.ts';
import { createProgress } from '../base/progress.ts';
import { createTemporaryFolder } from '../base/temporaryFolder.ts';
import { capturesBefore } from '../engine/continuedEngine.ts';
import { walkCaptures } from '../read/findCaptures.ts';
import { type Shard, isInShard } from '../verify/resultsFile.ts';
import { type VerifyCapturesOptions, verifyCaptures } from '../verify/verifyCaptures.ts';
import { MARKS, compileCode } from './compileCode.ts';
import { contentOf, indexPath, openIndex } from './indexFile.ts';
import { environmentOf, indexedApp } from './indexedApp.ts';

interface BuildOptions extends Omit<VerifyCapturesOptions, 'marked'> {
  /** A folder of captures. */
  readonly folder: string;
  readonly shard: Shard;
}

/**
 * Brings the index of a folder up to date: replays the captures that are new or changed, and those that reach code that has changed. After a signal, the
 * index contains what has been found so far.
 * @throws {UsageError} when the code cannot be compiled.
 */
export async function buildIndex(output: Output, { folder, shard, adapter, ...options }: BuildOptions) {
  const app = await indexedApp(adapter);
  const code = await compileCode(app, 'cjs').catch((error: unknown) => {
    const name = adapter === undefined ? '' : `--app ${adapter}: `;
    throw new UsageError(`${name}cannot be indexed: ${bundleProblem(error)}`, { cause: error });
  });
  const index = openIndex(indexPath(folder, app.key, shard), code, environmentOf(app, code));
  const progress = createProgress(output, systemClock(globalThis), 'indexing');
  const { folder: out, remove } = createTemporaryFolder('parley-index-');
  const file = join(out, 'replay.cjs');
  writeFileSync(file, `(function(exports,require,module,__filename,__dirname,${MARKS}){${code.text}\n})`);
  const marked = { file, entry: app.entry, units: code.units.size, isAdapter: adapter !== undefined };
  /** The content of each capture; those that are replayed now. */
  const [contents, replaying] = [new Map<string, string>(), new Set<string>()];
  let count = 0;
  const changed = async function* () {
    for await (const { path: capture, name } of walkCaptures([folder])) {
      if (!isInShard(name, shard)) continue;
      progress.show(pluralize(++count, 'capture'));
      // One that follows others depends on them too, and always runs.
      if (capturesBefore(capture).length > 0) continue;
      const content = contentOf(capture);
      if (content !== undefined) contents.set(capture, content);
      if (content !== undefined && (index.captures.has(content) || replaying.has(content))) continue;
      replaying.add(content ?? '');
      yield capture;
    }
  };
  const problems: string[] = [];
  let replayed = 0;
  try {
    for await (const result of verifyCaptures(changed(), { ...options, marked })) {
      const { capture, outcome, problem, reached } = result;
      const content = contents.get(capture);
      replayed++;
      if (problem !== undefined) problems.push(problem);
      else if (outcome === 'same' && reached && content !== undefined && contentOf(capture) === content)
        index.add(content, reached);
    }
  } finally {
    remove();
  }
  progress.end();
  index.write();
  const indexed = [...contents.values()].filter((one) => index.captures.has(one)).length;
  return { captures: count, replayed, indexed, problems };
}
