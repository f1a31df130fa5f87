import type { Source } from './protocol/protocol.ts';

/** The beginning of a file, in bytes. */
const BEGINNING = 4096;

const HAR = /^\uFEFF?\s*\{\s*"log"\s*:/;
const GOLDEN = /"format"\s*:\s*"parley-golden"/;

/** Says what a file is that is not a capture, and what to do with it; `undefined` when that is not known. */
export async function explainSource(source: Source): Promise<string | undefined> {
  if (source.kind !== 'file') return undefined;
  const { name, file } = source;
  const beginning = await file.slice(0, BEGINNING).text();
  if (GOLDEN.test(beginning)) return explainGolden(name);
  if (!HAR.test(beginning) && !/\.har(?:\.gz|\.zip)?$/i.test(name)) return undefined;
  return (
    'This is a HAR, the network traffic that a browser recorded. ' +
    `Open it with npm run replay -- open ${name}, or convert it with npm run replay -- import ${name} and drop the capture.`
  );
}

function explainGolden(name: string): string {
  const input = name.replace(/\.golden\.json$/, '');
  const capture = /\.(?:jsonl|gz|har|zip)$/i.test(input) ? input : `${input}.parley.jsonl`;
  return (
    `This is a golden, the expected result of a capture. Drop the capture, ${capture}. ` +
    `To compare it with its golden, run npm run replay -- verify ${capture}.`
  );
}
