import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HISTORY_MS } from '../world/world.ts';
import type { HistoryResult } from './runHistory.ts';

/** Captures and notes of failed histories. */
const FOLDER = join(import.meta.dirname, '..', '..', 'out', 'sim-failures');
const PROGRESS_MS = 5000;

/** Collects the results of histories. */
interface Report {
  add(result: HistoryResult): void;
  /** Prints the result; returns the exit status. */
  end(): Promise<number>;
}

type Counts = Record<string, number>;

const addTo = (sums: Counts, counts: Readonly<Counts>) => {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
};

const inOrder = (counts: Counts) => Object.entries(counts).sort(([, one], [, other]) => other - one);

/** Creates a report. Failures are printed on stderr as they come, with the files to look at. @param isJson prints one document at the end. */
export function createReport(isJson: boolean): Report {
  const startedAt = performance.now();
  const faults: Counts = {};
  const coverage: Counts = {};
  const hashes = new Map<number, string>();
  const failed: HistoryResult[] = [];
  let shownAt = startedAt;

  const perMinute = () => Math.round((hashes.size / (performance.now() - startedAt)) * 60_000);
  const progress = () => {
    if (performance.now() < shownAt + PROGRESS_MS) return;
    shownAt = performance.now();
    process.stderr.write(`${hashes.size} histories, ${perMinute()} a minute, ${failed.length} failed\n`);
  };
  const document = async () => {
    // Its schemas take long to load, and the first histories wait for this process.
    const { ACTIONS } = await import('#shared/actions/actionTable.ts');
    const seeds = [...hashes.keys()].sort((one, other) => one - other);
    const hash = createHash('sha256')
      .update(seeds.map((seed) => `${seed} ${hashes.get(seed)}`).join('\n'))
      .digest('hex');
    const failures = failed.map(({ seed, failures: found }) => ({ seed, failures: found }));
    const virtualHours = (hashes.size * HISTORY_MS) / 3_600_000;
    const unseen = Object.keys(ACTIONS).filter((type) => coverage[type] === undefined);
    const { length } = seeds;
    return { seeds: length, perMinute: perMinute(), virtualHours, hash, failures, faults, coverage, unseen };
  };
  return {
    add(result) {
      hashes.set(result.seed, result.hash);
      addTo(faults, result.faults);
      addTo(coverage, result.coverage);
      if (result.failures.length > 0) {
        failed.push(result);
        process.stderr.write(describeFailure(result));
      }
      progress();
    },
    async end() {
      const result = await document();
      process.stdout.write(isJson ? `${JSON.stringify(result, null, 2)}\n` : textOf(result));
      return failed.length > 0 ? 1 : 0;
    },
  };
}

/** Writes what belongs to a failure to files; returns the lines that name it. */
function describeFailure({ seed, failures, notes, capture }: HistoryResult): string {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `seed-${seed}`);
  writeFileSync(`${file}.txt`, `${notes.join('\n')}\n`);
  const [first] = failures;
  const line = `seed ${seed}: check ${first?.check} failed at ${((first?.at ?? 0) / 1000).toFixed(3)} s: ${first?.text}`;
  const steps = [`what happened: ${file}.txt`, `again: npm run sim -- --seed ${seed}`];
  if (capture !== undefined) {
    writeFileSync(`${file}.parley.jsonl`, capture);
    steps.push(
      `npm run replay -- minimize --fails verify ${file}.parley.jsonl`,
      `npm run replay -- open ${file}.parley.jsonl`,
    );
  }
  return `${line}\n${steps.map((step) => `  ${step}\n`).join('')}`;
}

interface Totals {
  readonly seeds: number;
  readonly perMinute: number;
  readonly virtualHours: number;
  readonly hash: string;
  readonly failures: readonly unknown[];
  readonly faults: Counts;
  readonly coverage: Counts;
  readonly unseen: readonly string[];
}

const list = (counts: Counts) =>
  inOrder(counts).map(([name, count]) => `  ${String(count).padStart(9)}  ${name}`);

function textOf(totals: Totals): string {
  const { coverage, faults, unseen } = totals;
  const seen = Object.keys(coverage).length;
  return [
    `${totals.seeds} histories, ${totals.perMinute} a minute, ${totals.virtualHours.toFixed(1)} virtual hours, ${totals.failures.length} failed`,
    `hash ${totals.hash}`,
    'injected faults:',
    ...list(faults),
    `actions (${seen} of ${seen + unseen.length} in docs/actions.md):`,
    ...list(coverage),
    `not seen: ${unseen.length === 0 ? 'none' : unseen.join(', ')}`,
    '',
  ].join('\n');
}
