import { expect, test, vi } from 'vitest';
import {
  headerLine,
  recordLine,
  CAPTURE_FORMAT,
  CAPTURE_VERSION,
  type KnownRecord,
} from './captureFormat.ts';
import { captureParser } from './parseCapture.ts';

const header = {
  format: CAPTURE_FORMAT,
  version: CAPTURE_VERSION,
  startedAt: '2026-11-20T09:00:00.000Z',
  app: '0.1.0',
} as const;

test('contract §6 header, frames: writes a header and records as the lines of the contract', () => {
  const records: KnownRecord[] = [
    { t: 0, type: 'open' },
    { t: 12.4, type: 'recv', data: '{"person":"Ada Lovelace","messages":[]}' },
    { t: 13, type: 'recv', data: 'AAEC', encoding: 'base64' },
    { t: 901, type: 'send', data: '{"category":"text","text":"hi","blob":null}' },
    { t: 5000, type: 'close', code: 1006, reason: '' },
  ];
  expect([headerLine(header), ...records.map(recordLine)].join('')).toBe(
    `{"format":"parley-capture","version":2,"startedAt":"2026-11-20T09:00:00.000Z","app":"0.1.0"}
{"t":0,"type":"open"}
{"t":12.4,"type":"recv","data":"{\\"person\\":\\"Ada Lovelace\\",\\"messages\\":[]}"}
{"t":13,"type":"recv","data":"AAEC","encoding":"base64"}
{"t":901,"type":"send","data":"{\\"category\\":\\"text\\",\\"text\\":\\"hi\\",\\"blob\\":null}"}
{"t":5000,"type":"close","code":1006,"reason":""}
`,
  );
});

test.each(['a\nb\r\nc', '\u2028\u2029', '\ud800 alone', '😀', '\u0000', '{"a":"\\n"}'])(
  'writes a frame of %j as one line and reads the same frame from it',
  (data) => {
    const line = recordLine({ t: 1, type: 'recv', data });
    expect(line.indexOf('\n')).toBe(line.length - 1);
    const parser = captureParser();
    parser.header(headerLine(header));
    expect(parser.record(Buffer.from(line).toString())).toEqual({ t: 1, type: 'recv', data });
  },
);

test('writes a gap for a line that is longer than a string can be', () => {
  const stringify = vi.spyOn(JSON, 'stringify').mockImplementationOnce(() => {
    throw new RangeError('Invalid string length');
  });
  expect(recordLine({ t: 7, type: 'open' })).toBe('{"t":7,"type":"gap","lost":1}\n');
  stringify.mockRestore();
});

test('throws, and writes no gap, for a record that JSON cannot represent', () => {
  expect(() => recordLine({ t: 7, type: 'action', action: { type: 'x', payload: 1n } })).toThrow(TypeError);
});
