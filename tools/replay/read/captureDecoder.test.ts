import { expect, onTestFinished, test, vi } from 'vitest';
import { type LinePiece, captureDecoder, lineReader } from './captureDecoder.ts';
import * as fc from 'fast-check';
import { codePoint } from '#tests/builders/codePoint.ts';

test('does not parse blank lines: a gigabyte of them would block every signal for seconds', () => {
  const decoder = captureDecoder({ name: 'x', onWarning: () => {} });
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const lines = ['', '{"t":1,"type":"open"}', '\r', ' ', '  {"t":2,"type":"open"}'];
  const times: number[] = [];
  const piece = { lines, firstLine: 2, isTruncated: false };
  decoder.records(piece, ({ t }) => times.push(t));
  const parsed = parse.mock.calls.map(([text]) => text);
  expect({ times, parsed }).toEqual({ times: [1, 2], parsed: [lines[1], lines[4]] });
});

const encoder = new TextEncoder();

/** Reads a text whose bytes come in chunks that end at these places. */
function read(text: string, ends: readonly number[]) {
  const bytes = encoder.encode(text);
  const borders = [0, ...ends.map((end) => end % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const reader = lineReader('x');
  const pieces: LinePiece[] = [];
  for (let i = 1; i < borders.length; i++) {
    pieces.push(...reader.take(bytes.slice(borders[i - 1], borders[i])));
  }
  const rest = reader.rest();
  return rest === undefined ? pieces : [...pieces, rest];
}

const text = fc.array(fc.string({ unit: codePoint }), { minLength: 1 }).map((lines) => lines.join('\n'));

test('reads the same lines, however the bytes are cut into chunks', () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat()), (whole, ends) => {
      const lines = whole.split('\n');
      if (lines.at(-1) === '') lines.pop();
      const pieces = read(whole, ends);
      expect(pieces.flatMap((piece) => piece.lines)).toEqual(lines);
      expect(pieces.map(({ firstLine }) => lines[firstLine - 1])).toEqual(
        pieces.map((piece) => piece.lines[0]),
      );
    }),
  );
});

test('reads a last line again with the bytes that continue it', () => {
  const reader = lineReader('x');
  expect(reader.take(encoder.encode('{}\n{"a"'))).toMatchObject([{ lines: ['{}'], firstLine: 1 }]);
  expect(reader.rest()).toMatchObject({ lines: ['{"a"'], firstLine: 2, isTruncated: true });
  reader.take(encoder.encode(':1}'));
  expect(reader.rest()).toMatchObject({ lines: ['{"a":1}'], firstLine: 2, isTruncated: false });
  expect(reader.take(encoder.encode('\n'))).toMatchObject([{ lines: ['{"a":1}'], firstLine: 2 }]);
  expect(reader.rest()).toBeUndefined();
});
