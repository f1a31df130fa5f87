import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writePiecesAtomically } from '#node/writeFileAtomically.ts';
import { tryParseJson } from '#shared/json.ts';
import { type Shard, isInShard } from '../verify/resultsFile.ts';
import type { FileStamp } from './fileStamp.ts';

/** The folder of the indexes of a corpus. Folders with a dot contain no captures. */
export const INDEX_FOLDER = '.parley-index';

const headerSchema = z.object({
  format: z.literal('parley-index'),
  version: z.literal(1),
  environment: z.object({ tool: z.string(), node: z.string(), packages: z.record(z.string(), z.string()) }),
  /** The key and the hash of each unit that a capture reaches. */
  units: z.array(z.tuple([z.string(), z.string()])),
  /** The sets of units that captures reach, as bits in base64. */
  sets: z.array(z.string()),
});

/** The first line of an index. */
export type IndexHeader = z.infer<typeof headerSchema>;

/** What an index contains of a capture. */
export interface IndexEntry {
  /** Its path inside the folder of the index. */
  readonly name: string;
  readonly capture: FileStamp;
  readonly golden: FileStamp;
  readonly isSame: boolean;
  /** The place of its units in `sets`. */
  readonly set: number;
}

const lineSchema = z
  .tuple([
    z.string(),
    z.string(),
    z.string(),
    z.string(),
    z.string(),
    z.union([z.literal(0), z.literal(1)]),
    z.int(),
  ])
  .transform(([name, stat, hash, goldenStat, goldenHash, isSame, set]): IndexEntry => ({
    name,
    capture: { stat, hash },
    golden: { stat: goldenStat, hash: goldenHash },
    isSame: isSame === 1,
    set,
  }));

/** Writes an index, completely or not at all. */
export async function writeIndex(
  path: string,
  header: IndexHeader,
  entries: readonly IndexEntry[],
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const lines = function* () {
    yield `${JSON.stringify(header)}\n`;
    for (const { name, capture, golden, isSame, set } of sorted)
      yield `${JSON.stringify([name, capture.stat, capture.hash, golden.stat, golden.hash, isSame ? 1 : 0, set])}\n`;
  };
  await writePiecesAtomically(path, lines(), { mode: 0o666 });
}

/** An index that is open. Its entries stay as text: looking one up costs the same in an index of any size. */
export interface OpenIndex {
  readonly shard: Shard;
  readonly header: IndexHeader;
  find(name: string): IndexEntry | undefined;
  entries(): Generator<IndexEntry, void>;
}

const NEWLINE = 10;

/** Opens an index; returns `undefined` when it is of another version, or damaged. */
function openIndex(path: string, shard: Shard): OpenIndex | undefined {
  const bytes = readFileSync(path);
  const first = bytes.indexOf(NEWLINE) + 1;
  const header = headerSchema.safeParse(tryParseJson(bytes.toString('utf8', 0, first)));
  if (!header.success || first === 0) return undefined;
  const endOf = (start: number) => bytes.indexOf(NEWLINE, start) + 1 || bytes.length;
  const read = (start: number) =>
    lineSchema.safeParse(tryParseJson(bytes.toString('utf8', start, endOf(start)))).data;
  /** Captures are looked up in about the order of their names. */
  let next = first;
  const search = (name: string): number | undefined => {
    let [low, high] = [first, bytes.length];
    while (low < high) {
      const middle = bytes.lastIndexOf(NEWLINE, Math.max(low, (low + high) >> 1) - 1) + 1;
      const start = Math.max(middle, low);
      const entry = read(start);
      if (entry === undefined) return undefined;
      if (entry.name === name) return start;
      if (entry.name < name) low = endOf(start);
      else high = start;
    }
    return undefined;
  };
  return {
    shard,
    header: header.data,
    find(name) {
      let start: number | undefined = next;
      if (next >= bytes.length || read(next)?.name !== name) start = search(name);
      if (start === undefined) return undefined;
      next = endOf(start);
      return read(start);
    },
    *entries() {
      for (let start = first; start < bytes.length; start = endOf(start)) {
        const entry = read(start);
        if (entry !== undefined) yield entry;
      }
    },
  };
}

/** Returns the file of a shard's index in a folder of captures. */
export const indexPath = (folder: string, key: string, { index, of }: Shard): string =>
  join(folder, INDEX_FOLDER, key, `${index}-of-${of}.ndjson`);

/** Opens the indexes of an app in a folder of captures: one, or those of shards. */
export function openIndexes(folder: string, key: string): OpenIndex[] {
  const inside = join(folder, INDEX_FOLDER, key);
  let names: readonly string[] = [];
  try {
    names = readdirSync(inside);
  } catch {
    // There is none.
  }
  return names.flatMap((name) => {
    const [, index, of] = /^(\d+)-of-(\d+)\.ndjson$/.exec(name)?.map(Number) ?? [];
    if (index === undefined || of === undefined) return [];
    return openIndex(join(inside, name), { index, of }) ?? [];
  });
}

/** Finds the entry of a capture. */
export function findEntry(indexes: readonly OpenIndex[], name: string) {
  for (const index of indexes) {
    const entry = isInShard(name, index.shard) ? index.find(name) : undefined;
    if (entry !== undefined) return { index, entry };
  }
  return undefined;
}

/** Encodes a set of numbers. */
export function encodeSet(numbers: Iterable<number>, size: number): string {
  const bits = Buffer.alloc(Math.ceil(size / 8));
  for (const number of numbers) bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7));
  return bits.toString('base64');
}

/** Decodes a set of numbers. */
export function decodeSet(text: string): number[] {
  const numbers: number[] = [];
  for (const [index, byte] of Buffer.from(text, 'base64').entries())
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) numbers.push(index * 8 + bit);
  return numbers;
}
