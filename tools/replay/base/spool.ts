import { appendFileSync, closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { createTemporaryFolder } from './temporaryFolder.ts';

const PIECE = 256 * 1024;

/** Creates a spool: text that waits in a temporary file for its place in the output. The file is removed when the process exits. */
export function createSpool() {
  const { folder, remove } = createTemporaryFolder('parley-report-');
  const file = openSync(join(folder, 'spool'), 'wx+', 0o600);
  return {
    write: (text: string): void => appendFileSync(file, text),
    /** Reads the whole text in pieces, and removes it. */
    read(use: (piece: string) => void): void {
      const buffer = Buffer.allocUnsafe(PIECE);
      const decoder = new StringDecoder('utf8');
      for (let at = 0, count = Infinity; count > 0; at += count) {
        count = readSync(file, buffer, 0, PIECE, at);
        use(decoder.write(buffer.subarray(0, count)));
      }
      closeSync(file);
      remove();
    },
  };
}
