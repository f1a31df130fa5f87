import { expect, onTestFinished, test, vi } from 'vitest';
import { captureDecoder } from './captureDecoder.ts';

test('does not parse blank lines: a gigabyte of them would block every signal for seconds', () => {
  const decoder = captureDecoder({ name: 'x', onWarning: () => {} });
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const lines = ['', '{"t":1,"type":"open"}', '\r', ' ', '  {"t":2,"type":"open"}'];
  const times: number[] = [];
  const piece = { bytes: new Uint8Array(), lines, firstLine: 2, isAscii: true, isTruncated: false };
  decoder.records(piece, ({ t }) => times.push(t));
  const parsed = parse.mock.calls.map(([text]) => text);
  expect({ times, parsed }).toEqual({ times: [1, 2], parsed: [lines[1], lines[4]] });
});
