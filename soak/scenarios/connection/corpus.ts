import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '#shared/isJsonObject.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { ROOT } from '../../harness/root.ts';

const FOLDER = join(ROOT, 'tests', 'captures');
/** Longer frames make mutation slow and find nothing more. */
const LONGEST = 10_000;

/** The text frames of the recorded sessions in `tests/captures`. */
export function corpusFrames(): readonly string[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.parley.jsonl'));
  const lines = files.flatMap((name) => readFileSync(join(FOLDER, name), 'utf8').split('\n'));
  return lines.flatMap((line) => {
    const record = tryParseJson(line);
    const isText = isJsonObject(record) && record.type === 'recv' && record.encoding === undefined;
    return isText && typeof record.data === 'string' && record.data.length < LONGEST ? [record.data] : [];
  });
}
