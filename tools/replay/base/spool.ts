import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { createTemporaryFolder } from './temporaryFolder.ts';

/** Text that waits for its place in the output. */
interface Spool {
  write(text: string): void;
  /** Reads the whole text in pieces, and removes it. */
  read(use: (piece: string) => void): void;
}

const PIECE = 256 * 1024;

/** Creates a spool: a short text is in memory, a long one in a temporary file. The file is removed when the process exits. */
export function createSpool(): Spool {
  let waiting = '';
  let file: { readonly fd: number; readonly remove: () => void } | undefined;
  const flush = () => {
    file ??= temporaryFile();
    writeSync(file.fd, waiting);
    waiting = '';
  };
  return {
    write(text) {
      waiting += text;
      if (waiting.length >= PIECE) flush();
    },
    read(use) {
      if (file !== undefined) {
        flush();
        readPieces(file.fd, use);
        closeSync(file.fd);
        file.remove();
      }
      use(waiting);
    },
  };
}

function temporaryFile() {
  const { folder, remove } = createTemporaryFolder('parley-report-');
  return { fd: openSync(join(folder, 'spool'), 'wx+', 0o600), remove };
}

function readPieces(fd: number, use: (piece: string) => void): void {
  const buffer = Buffer.allocUnsafe(PIECE);
  const decoder = new StringDecoder('utf8');
  for (let at = 0, count = Infinity; count > 0; at += count) {
    count = readSync(fd, buffer, 0, PIECE, at);
    use(decoder.write(buffer.subarray(0, count)));
  }
}
