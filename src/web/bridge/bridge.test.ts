import { expect, it, vi } from 'vitest';
import { encodeForPage, encodeWith, readFromHost, readFromPage } from './bridge.ts';
import { type Press, isPressed, parseAccelerator } from './accelerator.ts';

const sent = (...args: unknown[]): unknown => readFromHost(encodeWith(['send', 'c'], args))[2];

it('a sent value arrives unchanged, for each kind that the structured clone supports, and as an error if it is one', () => {
  const bytes = [new Uint8Array([1, 2]), new Uint8Array([3, 4]).buffer];
  const containers = [new Map([['a', new Set([1])]]), { nested: [{ deep: undefined }] }];
  const args = [undefined, null, -0, 12n, new Date(5), /x/g, ...bytes, ...containers];
  expect(sent(...args)).toEqual(args);
  const thrown = new RangeError('too far');
  const [error] = [sent(thrown)].flat();
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'RangeError', message: 'too far', stack: thrown.stack });
});

it.each([
  ['a function', () => {}],
  ['a symbol', Symbol('s')],
  ['a promise', Promise.resolve()],
  ['an object with a function', { deep: [() => {}] }],
])('a sent value throws Electron’s error for %s', (_what, value) => {
  expect(() => sent(value)).toThrow('An object could not be cloned.');
});

const long = `"<\n\u2028é${'x'.repeat(5000)}`;

it.each([
  ['one argument', [long]],
  ['fields, beside other values', [{ type: 'a', payload: long, seq: 1n }, [`${long}!`, long], 'short']],
  ['a lone surrogate', [`${long}\ud800`, long]],
])('long texts to a page arrive unchanged as %s', (_, args) => {
  // As UTF-8, in which a WebSocket sends it.
  for (const head of [['send', 'c'] as const, ['answer', 7] as const])
    expect(readFromHost(Buffer.from(encodeForPage(head, args)).toString())).toEqual([...head, args]);
});

/** Values in no form that a page sends. */
const ODD = [
  '"x" [[-7,4294967295,0,1],1] [[-7,1],1] [[1],["BigInt","9"]] [[1],["RegExp","(a+)+$"]] [[0.5]] [[1,1],[2],5]',
  `[[1],["Float64Array",2],4294967295] [[1],{"__proto__":0}] [[1],["Date","${'1'.repeat(41)}"]]`,
  `[[1],["Map",2],5] [[1],["ArrayBuffer",2],5] [${Array.from({ length: 40 }, (_, i) => `[${i + 1}]`).join()},5]`,
];

const ofValue = (value: string): [string, RegExp] => [`["send","c",${value}]`, /value that a page/];

it.each<[string, RegExp]>([
  ['', /JSON/],
  ...ODD.flatMap((values) => values.split(' ')).map(ofValue),
  [`${encodeWith(['send', 'c'], ['a'])}\na long text beside it`, /JSON/],
  ['["nonsense"]', /invalid/i],
  ['["send","c",[{}]]', /list of arguments/],
  [`["send","c",[[${'1,'.repeat(16)}1],5]]`, /More arguments/],
  ['['.repeat(1_000_000), /Nested deeper/],
])('a frame throws an error if no page sends it: %s', (frame, message) => {
  expect(() => readFromPage(frame)).toThrow(message);
});

it('a frame that a page sends is refused before it is parsed if it has more values than a page sends', () => {
  const keys = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`key ${at}`, at]));
  const frame = encodeWith(['send', 'report'], [0, keys]);
  const parse = vi.spyOn(JSON, 'parse');
  expect(() => readFromPage(frame)).toThrow('More values than a page sends.');
  expect(parse).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

it.each([
  ['a message', [{ category: 'image', text: 'a.png', blob: 'AAEC' }]],
  ['credentials', [{ email: 'ada@example.org', password: 'x', name: '' }]],
  ['bytes', [new Uint8Array([1, 2]).buffer, new Uint8Array([3])]],
  ['marks and equal texts', [undefined, null, -0, Number.NaN, Infinity, 'a', ['a', 'a']]],
  ['sixteen arguments', Array.from({ length: 16 }, (_, at) => at)],
  ['plain containers', [new Map([['a', new Set([new Date(5)])]]), { nested: [[[{}]]] }, []]],
])('a frame that a page sends arrives unchanged: %s', (_, args) => {
  expect(readFromPage(encodeWith(['send', 'c'], args))).toStrictEqual(['send', 'c', args]);
});

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

it.each<[string, boolean, Partial<Press> & Pick<Press, 'key'>]>([
  ['CommandOrControl+Return', false, { key: 'Enter', ctrlKey: true }],
  ['CommandOrControl+Return', true, { key: 'Enter', metaKey: true }],
  ['CmdOrCtrl+Shift+R', false, { key: 'R', ctrlKey: true, shiftKey: true }],
  ['Control+Alt+7', true, { key: '7', ctrlKey: true, altKey: true }],
  ['Command+Option+Space', true, { key: ' ', metaKey: true, altKey: true }],
])('recognises %s by its keys (on a Mac: %s)', (text, isMac, keys) => {
  const press = { ...NONE, ...keys };
  const presses = (more: Partial<Press>) => isPressed(parseAccelerator(text, isMac), { ...press, ...more });
  expect(presses({})).toBe(true);
  for (const held of ['ctrlKey', 'metaKey', 'altKey', 'shiftKey'] as const)
    expect(presses({ [held]: !press[held] })).toBe(false);
});

it('takes each name that Electron has for a modifier, and no other one', () => {
  const names = {
    ctrlKey: 'Control Ctrl',
    metaKey: 'Command Cmd Super Meta',
    altKey: 'Alt Option',
    shiftKey: 'Shift',
  };
  for (const [held, list] of Object.entries(names))
    for (const name of list.split(' '))
      expect(isPressed(parseAccelerator(`${name}+K`, false), { ...NONE, key: 'k', [held]: true })).toBe(true);
  for (const text of ['Hyper+K', 'K+', 'Control+F5', ''])
    expect(() => parseAccelerator(text, false)).toThrow(
      `The accelerator '${text}' is not available in the web host`,
    );
});
