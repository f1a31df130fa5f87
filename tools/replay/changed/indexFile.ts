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
const INDEX_FOLDER = '.parley-index';

const fileSchema = z
  .object({
    format: z.literal('parley-index-1'),
    environment: z.string(),
    /** The units that captures reach: key and hash. */
    units: z.array(z.string()),
    /** The sets of units that captures reach: a byte for each unit, compressed. */
    sets: z.array(z.string()),
    /** The place in `sets` for the content of each capture that is as its golden. */
    captures: z.record(z.string(), z.int()),
  })
  .transform(({ environment, units, sets, captures }) => {
    const found = Object.entries(captures).map(([content, set]) => [content, sets[set] ?? ''] as const);
    return { environment, units, captures: new Map(found) };
  });

/** An index: the set of units that each capture reaches that was as its golden, by the content of the capture. */
export type CaptureIndex = z.output<typeof fileSchema>;

/** Reads an index; returns `undefined` when there is none, or it is damaged. */
const readIndex = (path: string): CaptureIndex | undefined =>
  fileSchema.safeParse(existsSync(path) && tryParseJson(readFileSync(path, 'utf8'))).data;

/** Opens the index of code, with the captures in its file whose replay now would be the same. */
export function openIndex(path: string, code: CompiledCode, environment: string) {
  const old = readIndex(path);
  const texts = unitTexts(code);
  const now = new Set(texts);
  const units = [...new Set([...(old?.units ?? []), ...texts])];
  const places = new Map(units.map((unit, place) => [unit, place]));
  const areCurrent = units.map((unit) => now.has(unit));
  const isCurrent = memoized((set: string) => decodeSet(set).every((flag, i) => flag === 0 || areCurrent[i]));
  const kept = old?.environment === environment ? old.captures : [];
  const captures = new Map([...kept].filter(([, set]) => isCurrent(set)));
  return {
    captures,
    /** Adds a capture with the units that the script marked. Each capture reaches the top levels. */
    add(content: string, reached: Uint8Array) {
      const flags = new Uint8Array(units.length);
      for (const [number, key] of [...code.units.keys()].entries())
        if (reached[number] === 1 || key.endsWith('#')) flags[places.get(texts[number] ?? '') ?? -1] = 1;
      captures.set(content, deflateRawSync(flags).toString('base64'));
    },
    /** Writes the file, completely or not at all. */
    write() {
      const sets = [...new Set(captures.values())];
      const numbers = new Map(sets.map((set, number) => [set, number]));
      const contents = Object.fromEntries([...captures].map(([content, set]) => [content, numbers.get(set)]));
      const index = { format: 'parley-index-1', environment, units, sets, captures: contents };
      mkdirSync(dirname(path), { recursive: true });
      writeFileAtomically(path, JSON.stringify(index), { mode: 0o666 });
    },
  };
}

/** Returns the file of a shard's index in a folder of captures. */
export const indexPath = (folder: string, key: string, { index, of }: Shard): string =>
  join(folder, INDEX_FOLDER, key, `${index}-of-${of}.json`);

/** Returns a function that reads the indexes of an app around a folder: in the nearest one that has indexes, one, or those of shards. */
export function indexFinder(key: string) {
  const find = memoized((folder: string): readonly CaptureIndex[] => {
    if (!existsSync(join(folder, INDEX_FOLDER)))
      return dirname(folder) === folder ? [] : find(dirname(folder));
    const inside = join(folder, INDEX_FOLDER, key);
    return existsSync(inside)
      ? readdirSync(inside).flatMap((name) => readIndex(join(inside, name)) ?? [])
      : [];
  });
  return find;
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

/** Decodes a set of units: a byte for each one, 1 for those in it. */
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
