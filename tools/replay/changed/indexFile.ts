import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { writeFileAtomically } from '#node/writeFileAtomically.ts';
import { tryParseJson } from '#shared/json.ts';
import { goldenPath } from '../golden/goldenFile.ts';
import type { Shard } from '../verify/resultsFile.ts';
import type { CompiledCode } from './compileCode.ts';

/** The folder of the indexes of a corpus. Folders with a dot contain no captures. */
export const INDEX_FOLDER = '.parley-index';

const fileSchema = z.object({
  format: z.literal('parley-index-1'),
  environment: z.string(),
  /** The units that captures reach: key and hash. */
  units: z.array(z.string()),
  /** The sets of units that captures reach: a byte for each unit, compressed. */
  sets: z.array(z.string()),
  /** The place in `sets` for the content of each capture that is as its golden. */
  captures: z.record(z.string(), z.int()),
});

/** An index: which units each capture reaches that was as its golden. */
export interface CaptureIndex {
  readonly environment: string;
  readonly units: readonly string[];
  /** The set of units by the content of the capture. */
  readonly captures: ReadonlyMap<string, string>;
}

/** Reads an index; returns `undefined` when there is none, or it is damaged. */
export function readIndex(path: string): CaptureIndex | undefined {
  const { data } = fileSchema.safeParse(existsSync(path) && tryParseJson(readFileSync(path, 'utf8')));
  return (
    data && {
      ...data,
      captures: new Map(
        Object.entries(data.captures).map(([content, set]) => [content, data.sets[set] ?? '']),
      ),
    }
  );
}

/** Writes an index, completely or not at all. */
export function writeIndex(path: string, { environment, units, captures }: CaptureIndex): void {
  const sets = new Map([...new Set(captures.values())].map((set, number) => [set, number]));
  const places = [...captures].map(([content, set]) => [content, sets.get(set)] as const);
  mkdirSync(dirname(path), { recursive: true });
  const rest = { units, sets: [...sets.keys()], captures: Object.fromEntries(places) };
  writeFileAtomically(path, JSON.stringify({ format: 'parley-index-1', environment, ...rest }), {
    mode: 0o666,
  });
}

/** Returns the file of a shard's index in a folder of captures. */
export const indexPath = (folder: string, key: string, { index, of }: Shard): string =>
  join(folder, INDEX_FOLDER, key, `${index}-of-${of}.json`);

/** Reads the indexes of an app in a folder of captures: one, or those of shards. */
export function readIndexes(folder: string, key: string): CaptureIndex[] {
  const inside = join(folder, INDEX_FOLDER, key);
  return existsSync(inside) ? readdirSync(inside).flatMap((name) => readIndex(join(inside, name)) ?? []) : [];
}

/** Names the content of a capture and of its golden; `undefined` when one of them cannot be read. Captures with the same content have the same result. */
export function contentOf(capture: string): string | undefined {
  try {
    const [bytes, golden] = [readFileSync(capture), readFileSync(goldenPath(capture))];
    const format = basename(capture).replace(/^[^.]*/, '');
    const hash = createHash('sha256').update(`${format} ${bytes.length} `).update(bytes).update(golden);
    return hash.digest('base64url').slice(0, 22);
  } catch {
    return undefined;
  }
}

/** Names the units of code as an index does. */
export const unitTexts = ({ units }: CompiledCode): string[] =>
  [...units].map(([key, { hash }]) => `${key} ${hash}`);

/** Encodes a set of units: a byte for each one, 1 for those in it. */
export const encodeSet = (flags: Uint8Array): string => deflateRawSync(flags).toString('base64');

/** Decodes a set of units. */
export const decodeSet = (text: string): Uint8Array => inflateRawSync(Buffer.from(text, 'base64'));

/** Returns a function that computes the result for each key once. */
export function memoized<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, { readonly value: V }>();
  return (key) => {
    const result = known.get(key) ?? { value: compute(key) };
    known.set(key, result);
    return result.value;
  };
}
