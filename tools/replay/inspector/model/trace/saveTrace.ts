import type { Trace } from './trace.ts';

const NEWLINE = new Uint8Array([0x0a]);

/** Writes the capture of a trace as a file: the header, then the unchanged lines of its records. */
export function saveTrace({ headerLine, lines }: Trace): Blob {
  const parts: BlobPart[] = [`${headerLine.trimEnd()}\n`];
  const count = lines.chunk.length;
  for (let i = 0; i < count;) {
    const chunk = lines.chunk.at(i);
    const start = lines.start.at(i);
    let end = start + lines.bytes.at(i);
    // Adjacent lines of the file are copied together.
    for (i++; i < count && lines.chunk.at(i) === chunk && lines.start.at(i) === end + 1; i++) {
      end = lines.start.at(i) + lines.bytes.at(i);
    }
    const bytes = lines.chunks[chunk];
    if (bytes !== undefined) parts.push(bytes.subarray(start, end), NEWLINE);
  }
  return new Blob(parts, { type: 'application/x-ndjson' });
}
