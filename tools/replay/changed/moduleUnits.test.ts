import { expect, test } from 'vitest';
import { findUnits } from './moduleUnits.ts';

const hashes = (code: string) => new Map(findUnits(code).units.map(({ id, hash }) => [id, hash]));

function changed(before: string, after: string): string[] {
  const [old, now] = [hashes(before), hashes(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((id) => old.get(id) !== now.get(id));
}

/** Each code has its edits as `«before|after»`. */
test.each([
  ['a function', 'function f() { return «1|2» }', ['/f']],
  ['a comment', 'function f() {«|\n  // one\n » return 1 }', []],
  ['a constant', 'const a = «1|2»; const f = () => a', ['']],
  ['a function in a function', 'const f = () => () => «1|2»', ['/f/=>']],
  ['a branch', 'function f(a) { if (a) { «g|h»() } }', ['/f/(if)']],
  ['a condition', 'function f(a) { if («|!»a) { g() } }', ['/f']],
  ['a new else', 'function f(a) { if (a) { g() }«| else { h() }» }', ['/f', '/f/(else)']],
  ['a function in a branch', 'function f(a) { if (a) { function «b|c»() {} } }', ['/f', '/f/b', '/f/c']],
  ['a branch with a variable of the function', 'function f(a) { if (a) { var b = «1|2» } return b }', ['/f']],
  ['catch', 'function f() { try { g() } catch { return «1|2» } }', ['/f/(catch)']],
  ['a default value', 'function f(a = «1|2») {}', ['', '/f']],
  ['a pattern', 'const o = { f({ «a|b» }) {} }', ['', '/f']],
  ['a default value in a function in a function', 'const f = () => (a = «1|2») => a', ['/f', '/f/=>']],
  // A default value is evaluated before the marker.
  ['async in a default value', 'const f = () => (a = g(«|async »() => 1)) => a', ['/f', '/f/=>', '/f/=>/=>']],
  ['the name of a parameter', 'const o = { f(«a|b») {} }', ['/f']],
  ['a method', 'class A { m() { return «1|2» } }', ['/m']],
  ['the name of a method', 'class A { «m|n»() {} }', ['', '/m', '/n']],
  ['a field of a class', 'class A { a = «1|2» }', ['']],
  ['the number of parameters', 'const o = { f(a«|, b») {} }', ['', '/f']],
  ['async', 'const o = { «|async »f() {} }', ['']],
  ['a new function', 'f();«| function g() {}»', ['', '/g']],
  ['a new export of a function', '«|export »function f() {}', ['']],
  ['a function behind an effect', '«const f = () => 1; |»g();«| const f = () => 1;»', ['']],
])('%s selects what it can affect', (_, code, ids) => {
  const [before = '', after = ''] = ['$1', '$2'].map((side) => code.replaceAll(/«(.*?)\|(.*?)»/gs, side));
  expect(changed(before, after).sort()).toEqual(ids);
});

test('each token belongs to one unit: a change of any of them is a change of a unit', () => {
  const code = `'use strict'; const one = 1; export const arrow = async (a, { b = 2 }) => { if (a) { b++ } else { --b } return [a, b] };
    function* generator(c = one) { yield* [c] } class Counted { #n = 3; static s = 4; get n() { return this.#n } set n(v) { this.#n = v } }
    const o = { m() { try { return 5 } catch (e) { throw e } }, f: function named() { return 6 }, ['x' + 7]: (x) => x + 8 };`;
  for (const { index, 0: digit } of code.matchAll(/\d/g)) {
    const edited = `${code.slice(0, index)}${(Number(digit) + 1) % 10}${code.slice(index + 1)}`;
    expect(changed(code, edited)).not.toEqual([]);
  }
});

test('a marked module does the same, and marks what runs', () => {
  const code = `'use strict';
    const add = ({ a, b = 1 }, c = 2) => a + b + c;
    const pick = ([first]) => (x) => ({ first, x });
    const failing = ({ a: { b } }) => b;
    function* count(n, step = () => 1) { for (let i = 0; i < n; i += step()) yield i; }
    class Box { #v = 1; get v() { if (this.#v > 1) { return 'many' } else { return 'one' } } set v(n) { this.#v = n } }
    const box = new Box(); const first = box.v; box.v = 2;
    let caught; try { failing({}) } catch (error) { caught = error.constructor.name }
    const never = () => 'x';
    return [add({ a: 1 }), add.length, pick([1])(2), [...count(2)], first, box.v, caught];`;
  const { units, instrument } = findUnits(code);
  const marks = new Uint8Array(units.length);
  // The text is the test's.
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function(
    'marks',
    instrument((index) => `marks[${index}]=1`),
  );
  const result: unknown = Reflect.apply(run, undefined, [marks]);
  const ran = units.flatMap(({ id }, index) => (marks[index] === 1 ? id : []));
  expect(result).toEqual([4, 1, { first: 1, x: 2 }, [0, 1], 'one', 'many', 'TypeError']);
  expect(ran).not.toContain('/never');
  for (const id of ['', '/add', '/pick', '/pick/=>', '/count', '/v', '/v/(if)', '/v/(else)', '/(catch)'])
    expect(ran).toContain(id);
});
