/**
 * Writes the generated captures of the corpus, tests/captures. docs/captures.md lists them.
 *
 *   node tests/corpus/writeCorpus.mjs
 *
 * Then review and update their goldens: npm run replay -- verify tests/captures --update
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { generateCaptures } from './generateCaptures.mjs';

const CORPUS = resolve(import.meta.dirname, '../captures');

for (const [file, text] of generateCaptures())
  writeFileSync(resolve(CORPUS, file), file.endsWith('.gz') ? gzipSync(text, { level: 9 }) : text);
