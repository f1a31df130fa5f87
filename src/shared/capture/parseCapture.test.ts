import * as fc from 'fast-check';
import { expect, it, onTestFinished, test, vi } from 'vitest';
import { tryParseJson } from '../json.ts';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { headerLine, recordLine, type KnownRecord, isKnown } from './captureFormat.ts';
import { captureParser, CaptureLineError, TimeOrderError, upgradeFrom } from './parseCapture.ts';
import { actionError, describeAction } from './describeAction.ts';

const HEADER = {
  format: 'parley-capture',
  version: 2,
  startedAt: '2026-11-20T09:00:00.000Z',
  app: '0.1.0',
} as const;

test('contract §6 header, frames: writes a header and records as the lines of the contract, and a gap for a line that is too long', async () => {
  const records: KnownRecord[] = [
    { t: 0, type: 'open' },
    { t: 12.4, type: 'recv', data: '{"person":"Ada Lovelace","messages":[]}' },
    { t: 13, type: 'recv', data: 'AAEC', encoding: 'base64' },
    { t: 901, type: 'send', data: '{"category":"text","text":"hi","blob":null}' },
    { t: 5000, type: 'close', code: 1006, reason: '' },
  ];
  const lines = [headerLine(HEADER), ...records.map(recordLine)];
  await expect(lines.join('')).toMatchFileSnapshot('testing/written.txt');
  // A line can be longer than a string can be.
  const stringify = vi.spyOn(JSON, 'stringify').mockImplementationOnce(() => {
    throw new RangeError('Invalid string length');
  });
  expect(recordLine({ t: 7, type: 'open' })).toBe('{"t":7,"type":"gap","lost":1}\n');
  stringify.mockRestore();
});

const anyTime = fc.oneof(fc.nat(), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }));
const anyText = fc.constantFrom('', '"', '\\', '{', '}', ':', ',"a":1', '0', '-', ' ');

/** A character, or half of one. */
const anyUnit = fc.nat(0xffff).map((unit) => String.fromCharCode(unit));

/** Generates a frame's line as recorders write it, in which some characters are replaced, inserted or removed. */
const anyFrameLine = fc
  .record({
    line: fc
      .record({ t: anyTime, type: fc.constant('recv'), data: fc.string({ unit: anyUnit }) })
      .map((frame) => JSON.stringify(frame)),
    edits: fc.array(fc.tuple(fc.nat(), fc.nat(1), anyText), { maxLength: 2 }),
  })
  .map(({ line: written, edits }) =>
    edits.reduce((line, [place, removed, text]) => {
      const at = place % line.length;
      return line.slice(0, at) + text + line.slice(at + removed);
    }, written),
  );

test('reads the line of a frame as JSON, and nothing that is no JSON', () => {
  let read = 0;
  checkAll(2000, [anyFrameLine], (line) => {
    let parsed: unknown;
    try {
      parsed = captureParser().record(line);
    } catch {
      return;
    }
    read++;
    expect(parsed).toEqual(tryParseJson(line));
  });
  expect(read).toBeGreaterThan(400);
});

const header = (fields: object) => captureParser().header(JSON.stringify({ ...HEADER, ...fields }));
const record = (line: string | object) =>
  captureParser().record(typeof line === 'string' ? line : JSON.stringify(line));

test('contract §6 header, unknown: parses a header of any version so far, and keeps its unknown fields', () => {
  expect(header({ version: 1, machine: 'x' })).toEqual({ ...HEADER, version: 1, machine: 'x' });
});

test.each([
  [{ format: 'har' }, 'is not the header of a Parley capture'],
  [{ version: undefined }, 'has no version'],
  [{ version: 1.5 }, 'has no version'],
  [{ version: 3 }, 'has version 3; this Parley reads up to 2'],
  [{ startedAt: 7 }, 'has no startedAt'],
  [{ startedAt: 'yesterday' }, 'has a startedAt that is not a time'],
  [{ app: undefined }, 'has no app'],
])('refuses a header with %j: it %s', (fields, message) => {
  expect(() => header(fields)).toThrow(new CaptureLineError(message));
});

const RESPONSE = { status: 200, headers: { etag: '1' }, body: 'AA==', encoding: 'base64' };

test.each([
  { t: 3, type: 'weather', sky: 'grey' },
  { t: 0, type: 'open' },
  { t: 1.5, type: 'recv', data: '' },
  { t: 1, type: 'recv', data: 'AAEC', encoding: 'base64' },
  { t: 1, type: 'recv', data: '{}', synthetic: true },
  { t: 1, type: 'close', code: 1006, reason: '' },
  { t: 1, type: 'action', action: { type: 'x/y', payload: { a: 1 } } },
  { t: 450.5, type: 'release', update: 2, due: 200, tick: 400 },
  { t: 1, type: 'open', socket: 2 },
  { t: 1, type: 'http', id: 1, request: { method: 'POST', url: '/api/x', body: '{}' } },
  { t: 1, type: 'http', id: 1, response: RESPONSE },
  { t: 1, type: 'http', id: 1, chunk: 'a' },
  { t: 1, type: 'http', id: 1, end: true },
  { t: 1, type: 'http', id: 1, error: 'TypeError' },
  { t: 9, type: 'end' },
])(
  'contract §6 requests, unknown: parses the record %j, and knows its type unless it is the weather',
  (line) => {
    const parsed = record(line);
    expect(parsed).toEqual(line);
    expect(isKnown(parsed)).toBe(line.type !== 'weather');
  },
);

const CLOSE = { t: 0, type: 'close', code: 1000, reason: '' };
const CHUNK = { t: 0, type: 'http', id: 1, chunk: 'a' };
const PARTS = 'request, response, chunk, end, error';

test.each([
  ['not JSON', 'is not JSON'],
  ['[1]', 'is not an object'],
  [{ type: 'open' }, 'has no time `t`'],
  ['{"t":1e999,"type":"open"}', 'has no time `t`'],
  [{ t: -1, type: 'open' }, 'has the time -1; a time is 0 or more'],
  [HEADER, 'is a second header; a capture has one, in its first line'],
  [{ t: 0 }, 'has no `type`'],
  [{ t: 0, type: 'recv' }, 'is of type recv without `data`'],
  [{ t: 0, type: 'send', data: {} }, 'is of type send without `data`'],
  [{ t: 0, type: 'recv', data: 'x', encoding: 'hex' }, 'is of type recv without an `encoding` of base64'],
  [{ t: 0, type: 'close', code: 1000 }, 'is of type close without `code` and `reason`'],
  [{ ...CLOSE, retryAt: 9e15 }, 'is of type close without a `retryAt` that is a time'],
  [{ t: 0, type: 'action' }, 'is of type action without `action.type`'],
  [{ t: 0, type: 'recv', data: '', socket: 0 }, 'is of type recv without a `socket` that is a number'],
  [{ t: 0, type: 'http', end: true }, 'is of type http without an `id` that is a number'],
  [{ ...CHUNK, encoding: 'hex' }, 'is of type http without an `encoding` of base64'],
  [{ ...CHUNK, end: true }, `is of type http without exactly one of ${PARTS}`],
  [{ t: 0, type: 'http', id: 1, request: { url: '/' } }, 'is of type http without a valid `request`'],
  [{ t: 0, type: 'http', id: 1, response: {} }, 'is of type http without a valid `response`'],
  [{ t: 9, type: 'release', due: 0, tick: 0 }, 'is of type release without an `update` that is a number'],
])('refuses the record %j: it %s', (line, message) => {
  expect(() => record(line)).toThrow(new CaptureLineError(message));
});

test('contract §6 time: accepts the same time twice and refuses an earlier one', () => {
  const { record: next } = captureParser();
  next('{"t":5,"type":"open"}');
  next('{"t":5,"type":"open"}');
  const error = new TimeOrderError('goes back in time, from 5 to 4.9');
  expect(() => next('{"t":4.9,"type":"open"}')).toThrow(error);
});

test('refuses a line nested deeper than 200 levels, of a frame without parsing anything, but accepts a text that is', () => {
  const deep = '['.repeat(6000) + ']'.repeat(6000);
  const error = new CaptureLineError('is nested deeper than 200 levels');
  expect(() => record(`{"t":1,"type":"other","x":${deep}}`)).toThrow(error);
  expect(record({ t: 1, type: 'recv', data: deep })).toMatchObject({ data: deep });
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  expect(() => record(`{"t":1,"type":"recv","data":${deep}}`)).toThrow(error);
  expect(() => record(`{"t":${deep},"type":"recv","data":""}`)).toThrow(error);
  expect(parse).not.toHaveBeenCalled();
});

const STEPS = {
  1: ({ at, ...rest }: Readonly<Record<string, unknown>>) => ({ ...rest, t: at }),
  2: ({ t, ...rest }: Readonly<Record<string, unknown>>) => ({ ...rest, t: Number(t) * 1000 }),
};

test('applies both steps in order to a record that is two versions old, and the last one to a later record', () => {
  expect(upgradeFrom(1, STEPS, 3)({ at: 2, type: 'open' })).toEqual({ type: 'open', t: 2000 });
  expect(upgradeFrom(2, STEPS, 3)({ t: 2, type: 'open' })).toEqual({ type: 'open', t: 2000 });
});

it.each([
  ['textBox/edited', { text: 'hello' }, '"hello"'],
  ['textBox/closed', undefined, ''],
  ['viewer/opened', { message: 3, item: 1 }, 'messages[3].content[1]'],
  ['preferences/changed', { theme: 'dark', audio: true }, 'theme: "dark", audio: true'],
  ['find/reached', { hit: { message: 1, item: 0, start: 4 } }, 'hit: {messages[1].content[0], start: 4}'],
  ['file/offered', { name: 'a.txt', size: 3, list: [1, 2] }, 'name: "a.txt", size: 3, list: [2]'],
])('says what %s with %j was', (type, payload, text) => {
  expect(describeAction({ type, payload }).text).toBe(text);
});

const edited = (payload: object) => ({ type: 'textBox/edited', payload });
const NOT_VALID = 'The payload of textBox/edited is not valid';

it.each([
  [{ type: 'textBox/eaten' }, 'There is no action "textBox/eaten".'],
  [{ type: 'update/received' }, 'A capture does not contain update/received.'],
  [edited({ text: 5 }), `${NOT_VALID} at text: Invalid input: expected string, received number.`],
  [edited({ text: 'a', more: 1 }), `${NOT_VALID}: Unrecognized key: "more".`],
])('says what is wrong with %j', (action, error) => expect(actionError(action)).toBe(error));
