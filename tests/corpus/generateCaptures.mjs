import { actCaptures } from './actCaptures.mjs';
import { conversationCaptures } from './conversationCaptures.mjs';
import { decoderCaptures } from './decoderCaptures.mjs';
import { pairCaptures } from './pairCaptures.mjs';
import { edgeCaptures } from './edgeCaptures.mjs';
import { HEADER } from './records.mjs';
import { reportCaptures } from './reportCaptures.mjs';
import { sessionCaptures } from './sessionCaptures.mjs';
import { viewCaptures } from './viewCaptures.mjs';
import { windowCaptures } from './windowCaptures.mjs';

/** The generated captures: a function that returns the records, by name. A name with `.gz` is compressed. */
const CAPTURES = {
  ...actCaptures,
  ...conversationCaptures,
  ...decoderCaptures,
  ...edgeCaptures,
  ...pairCaptures,
  ...reportCaptures,
  ...sessionCaptures,
  ...viewCaptures,
  ...windowCaptures,
};

/** Returns the file name of a capture: `x.parley.jsonl`, or `x.parley.jsonl.gz` for `x.gz`. */
const fileOf = (name) => name.replace(/(\.gz)?$/, (gz) => `.parley.jsonl${gz}`);

/** Generates each capture: its file name in the corpus, and its text. */
export function* generateCaptures() {
  for (const [name, create] of Object.entries(CAPTURES))
    yield [fileOf(name), [HEADER, ...create()].map((line) => `${JSON.stringify(line)}\n`).join('')];
}
