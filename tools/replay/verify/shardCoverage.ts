import { pluralize } from '#shared/pluralize.ts';
import { type RunEnd, runText } from './resultsFile.ts';
import type { Shard } from './shard.ts';

/** What the reports of one shard contain. */
interface Part {
  readonly shard: Shard;
  isComplete: boolean;
  /** The number of lines with a result. */
  results: number;
  /** The most captures that one of the reports has counted, with those of the reports that it resumed. */
  captures: number;
}

/** Checks that reports are complete together. */
interface ShardCoverage {
  /** A report begins. */
  begin(header: {
    readonly command: string;
    readonly options?: string | undefined;
    readonly shard?: Shard | undefined;
  }): void;
  /** The report that began last has a result. */
  add(): void;
  /** The report that began last has ended, with the number of its captures. */
  end(end: RunEnd, captures?: number): void;
  /** Returns what is missing, each in one line; empty when the reports are complete. */
  problems(): string[];
}

/** Creates the check. A shard is complete when one of its reports is: a resumed run contains what the runs before lack. */
export function shardCoverage(): ShardCoverage {
  const parts = new Map<string, Part>();
  const commands = new Set<string>();
  let last: Part | undefined;
  return {
    begin({ command, options, shard = { index: 1, of: 1 } }) {
      commands.add(runText({ command, options, shard: undefined }));
      const key = `${shard.index}/${shard.of}`;
      last = parts.get(key) ?? { shard, isComplete: false, results: 0, captures: 0 };
      parts.set(key, last);
    },
    add() {
      if (last !== undefined) last.results++;
    },
    end(end, captures = 0) {
      if (last === undefined) return;
      if (end === 'complete') last.isComplete = true;
      last.captures = Math.max(last.captures, captures);
    },
    problems() {
      if (commands.size > 1) return [`the reports are of different commands: ${[...commands].join(', ')}`];
      const all = [...parts.values()];
      const counts = [...new Set(all.map(({ shard }) => shard.of))];
      const [of = 1] = counts;
      if (counts.length > 1) return [`the reports are of different numbers of shards: ${counts.join(', ')}`];
      return Array.from({ length: of }, (_, i) => problemOf(i + 1, of, parts.get(`${i + 1}/${of}`))).flat();
    },
  };
}

function problemOf(index: number, of: number, found: Part | undefined): string[] {
  const name = of === 1 ? 'the run' : `shard ${index}/${of}`;
  if (found === undefined) return [`${name} is missing`];
  if (!found.isComplete) return [`${name} is incomplete; run it again with --resume`];
  const lost = found.captures - found.results;
  return lost > 0
    ? [`${name} lacks the results of ${pluralize(lost, 'capture')}; run it again with --resume`]
    : [];
}
