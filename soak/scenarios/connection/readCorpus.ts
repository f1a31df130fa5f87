import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '#shared/isJsonObject.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { ROOT } from '../../harness/root.ts';

const FOLDER = join(ROOT, 'tests', 'captures');
/** Longer frames make mutation slow and find no more faults. In characters. */
const LONGEST = 10_000;

/** Returns the text frames of the captures in `tests/captures`. */
export function readCorpus(): readonly string[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.parley.jsonl'));
  const lines = files.flatMap((name) => readFileSync(join(FOLDER, name), 'utf8').split('\n'));
  return lines.flatMap((line) => {
    const record = tryParseJson(line);
    const isText = isJsonObject(record) && record.type === 'recv' && record.encoding === undefined;
    return isText && typeof record.data === 'string' && record.data.length < LONGEST ? [record.data] : [];
  });
}
