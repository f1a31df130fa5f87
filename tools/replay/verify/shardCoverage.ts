import type { RunEnd } from './resultsFile.ts';
import type { Shard } from './shard.ts';

/** Checks that reports are complete together. */
interface ShardCoverage {
  /** A report begins. */
  begin(header: { readonly command: string; readonly shard?: Shard | undefined }): void;
  /** The report that began last has ended. */
  end(end: RunEnd): void;
  /** Returns what is missing, each in one line; empty when the reports are complete. */
  problems(): string[];
}

/** Creates the check. A shard is complete when one of its reports is: a resumed run contains what the runs before lack. */
export function shardCoverage(): ShardCoverage {
  const ends = new Map<string, { readonly shard: Shard; isComplete: boolean }>();
  const commands = new Set<string>();
  let last: { isComplete: boolean } | undefined;
  return {
    begin({ command, shard = { index: 1, of: 1 } }) {
      commands.add(command);
      const key = `${shard.index}/${shard.of}`;
      const known = ends.get(key) ?? { shard, isComplete: false };
      ends.set(key, known);
      last = known;
    },
    end(end) {
      if (last !== undefined && end === 'complete') last.isComplete = true;
    },
    problems() {
      if (commands.size > 1) return [`the reports are of different commands: ${[...commands].join(', ')}`];
      const all = [...ends.values()];
      const counts = [...new Set(all.map(({ shard }) => shard.of))];
      const [of = 1] = counts;
      if (counts.length > 1) return [`the reports are of different numbers of shards: ${counts.join(', ')}`];
      return Array.from({ length: of }, (_, i) => problemOf(i + 1, of, ends.get(`${i + 1}/${of}`))).flat();
    },
  };
}

function problemOf(index: number, of: number, found: { isComplete: boolean } | undefined): string[] {
  const name = of === 1 ? 'the run' : `shard ${index}/${of}`;
  if (found === undefined) return [`${name} is missing`];
  return found.isComplete ? [] : [`${name} is incomplete; run it again with --resume`];
}
