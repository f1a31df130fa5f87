import { expect, test, vi } from 'vitest';
import { captureParser } from '#shared/capture/parse.ts';
import { captureDecoder } from './captureDecoder.ts';

vi.mock(import('#shared/capture/parse.ts'), async (original) => {
  const actual = await original();
  return { ...actual, captureParser: vi.fn<typeof captureParser>(actual.captureParser) };
});

test('does not parse blank lines: a gigabyte of them would block every signal for seconds', () => {
  const decoder = captureDecoder({ name: 'x', onWarning: () => {} });
  const { value: parser } = vi.mocked(captureParser).mock.results[0] ?? {};
  const parse = vi.spyOn(parser, 'record');
  const lines = ['', '{"t":1,"type":"open"}', '\r', ' ', '  {"t":2,"type":"open"}'];
  const times: number[] = [];
  const piece = { bytes: new Uint8Array(), lines, firstLine: 2, isAscii: true, isTruncated: false };
  decoder.records(piece, ({ t }) => times.push(t));
  expect(times).toEqual([1, 2]);
  expect(parse).toHaveBeenCalledTimes(2);
});
