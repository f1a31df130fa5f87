import type { Bytes } from '../../../read/captureDecoder.ts';
import { countWhile } from './column.ts';

/** The least length of a complete block, in UTF-16 units. To read a line, its block is decoded. */
const BLOCK = 1 << 14;
/** The number of blocks that stay decoded: an update at its tick reads its record, and the one before which it is released. */
const DECODED = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The lines of a capture, without their newlines. They are kept as bytes, in blocks: a million strings would need another 100 MB. */
export class Lines {
  #length = 0;
  readonly #blocks: Bytes[] = [];
  /** The index of the first line of each block. */
  readonly #starts: number[] = [];
  /** The lines after the last block, and their length. */
  #open: string[] = [];
  #openLength = 0;
  readonly #decoded = new Map<number, readonly string[]>();

  get length(): number {
    return this.#length;
  }

  /** Returns the line at an index; `undefined` when there is none. */
  at(index: number): string | undefined {
    const start = this.#startOf(this.#blocks.length);
    if (index >= start) return this.#open[index - start];
    const block = countWhile(this.#starts, (first) => first <= index) - 1;
    return this.#linesOf(block)[index - this.#startOf(block)];
  }

  push(line: string): void {
    this.#length++;
    this.#openLength += line.length;
    this.#open.push(line);
    if (this.#openLength < BLOCK) return;
    this.#starts.push(this.#startOf(this.#blocks.length));
    this.#blocks.push(encoder.encode(this.#open.join('\n')));
    this.#open = [];
    this.#openLength = 0;
  }

  /** Returns an independent copy of the first lines. The copy shares the blocks. */
  copy(length: number): Lines {
    const copy = new Lines();
    const full = this.#starts.findLastIndex((_, block) => this.#startOf(block + 1) <= length) + 1;
    copy.#blocks.push(...this.#blocks.slice(0, full));
    copy.#starts.push(...this.#starts.slice(0, full));
    copy.#length = this.#startOf(full);
    while (copy.#length < length) copy.push(this.at(copy.#length) ?? '');
    return copy;
  }

  /** Returns the parts of a file with the lines, each with its newline. */
  parts(): BlobPart[] {
    const open = this.#open.map((line) => `${line}\n`);
    return [...this.#blocks.flatMap((block) => [block, '\n']), ...open];
  }

  /** Returns the index of the first line of a block, or of the first after the blocks. */
  #startOf(block: number): number {
    return this.#starts[block] ?? this.#length - this.#open.length;
  }

  #linesOf(block: number): readonly string[] {
    const known = this.#decoded.get(block);
    if (known !== undefined) return known;
    const lines = decoder.decode(this.#blocks[block]).split('\n');
    this.#decoded.set(block, lines);
    const [oldest] = this.#decoded.keys();
    if (oldest !== undefined && this.#decoded.size > DECODED) this.#decoded.delete(oldest);
    return lines;
  }
}
