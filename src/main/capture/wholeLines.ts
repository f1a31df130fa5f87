import type { FileHandle } from 'node:fs/promises';
import { inPieces } from '#shared/capture/captureLine.ts';

/** The used part of an open file handle. */
export type AppendHandle = Pick<FileHandle, 'appendFile' | 'truncate' | 'close'>;

interface Options {
  readonly open: () => Promise<AppendHandle>;
  /** The file's first line with its newline. */
  readonly header: string;
}

/** Creates a file that contains whole lines only, also after a write that failed half way. */
export function wholeLines({ open, header }: Options) {
  let handle: AppendHandle | undefined;
  /** Bytes of whole lines. */
  let size = 0;
  let isWhole = true;
  function* withHeader(lines: Iterable<string>): Generator<string, void> {
    yield header;
    yield* lines;
  }
  const repair = async (file: AppendHandle) => {
    if (!isWhole) await file.truncate(size);
    isWhole = true;
  };
  return {
    /** Returns whether no line was appended yet. */
    isEmpty: () => size === 0,
    /**
     * Appends whole lines, piece by piece: together they can be longer than a string can be.
     * @param onWritten is called after each piece.
     */
    async append(lines: Iterable<string>, onWritten: () => void): Promise<void> {
      handle ??= await open();
      await repair(handle);
      isWhole = false;
      let bytes = 0;
      for (const piece of inPieces(size === 0 ? withHeader(lines) : lines)) {
        await handle.appendFile(piece);
        onWritten();
        bytes += Buffer.byteLength(piece);
      }
      isWhole = true;
      size += bytes;
    },
    async close(): Promise<void> {
      try {
        if (handle !== undefined) await repair(handle);
      } catch {
        // Readers warn of a truncated last line, and skip it.
      } finally {
        await handle?.close().catch(() => {});
      }
    },
  };
}
