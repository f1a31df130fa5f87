import { quoteForShell } from '#files/quoteForShell.ts';
import type { Source } from './protocol/protocol.ts';

/** The beginning of a file, in bytes. */
const BEGINNING = 4096;

const HAR = /^\uFEFF?\s*\{\s*"log"\s*:/;
const ZIP = 'PK\u0003\u0004';
/** The names by which the commands recognize a HAR. */
const HAR_NAME = /\.(?:har|har\.gz|zip)$/i;
const GOLDEN = /"format"\s*:\s*"parley-golden"/;

/** Says what a file is that is not a capture, and what to do with it; `undefined` when that is not known. */
export async function explainSource(source: Source): Promise<string | undefined> {
  if (source.kind !== 'file') return undefined;
  const { name, file } = source;
  const beginning = await file.slice(0, BEGINNING).text();
  if (GOLDEN.test(beginning)) return explainGolden(name);
  if (HAR.test(beginning) || /\.har(?:\.gz|\.zip)?$/i.test(name))
    return `This is a HAR, the network traffic that a browser recorded. ${howToOpen(name)}`;
  return beginning.startsWith(ZIP)
    ? `This is a zip file, which can contain a HAR. ${howToOpen(name)}`
    : undefined;
}

/** Returns the commands that open a HAR. */
function howToOpen(name: string): string {
  const har = HAR_NAME.test(name) ? name : `${name}.har`;
  const path = quoteForShell(har);
  return (
    `${har === name ? '' : `Rename it to ${har}. `}Open it with npm run replay -- open ${path}, ` +
    `or convert it with npm run replay -- import ${path} and drop the capture.`
  );
}

function explainGolden(name: string): string {
  const what = 'This is a golden, the expected result of a capture.';
  const input = name.replace(/\.golden\.json$/, '');
  if (input === name) return `${what} Drop the capture.`;
  const capture = /\.(?:jsonl|gz|har|zip)$/i.test(input) ? input : `${input}.parley.jsonl`;
  const command = `npm run replay -- verify ${quoteForShell(capture)}`;
  return `${what} Drop the capture, ${capture}. To compare it with its golden, run ${command}.`;
}
