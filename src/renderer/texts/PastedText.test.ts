import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PastedText } from './PastedText.ts';

const ROOM = 400;
/** A text of 1,000 characters without repetitions. */
const LONG = Array.from({ length: 200 }, (_, at) => String(at).padStart(4, '0'))
  .join('-')
  .padEnd(1000, '.');

function pasted(text: string, room = ROOM) {
  const rest = new PastedText();
  rest.keep(text, room);
  return rest;
}

describe('the rest of a pasted text', () => {
  it('completes the beginning, also between other texts and after a change of the beginning', () => {
    const rest = pasted(LONG);
    const fitting = LONG.slice(0, ROOM);
    expect(rest.complete(fitting)).toBe(LONG);
    expect(rest.complete(`Explain: ${fitting} Thanks.`)).toBe(`Explain: ${LONG} Thanks.`);
    expect(rest.complete(fitting.slice(200))).toBe(LONG.slice(200));
    expect(rest.complete(fitting)).toBe(LONG);
  });

  it('completes a text with repetitions, which is cut between two surrogate pairs', () => {
    const waves = '👋'.repeat(1000);
    expect(pasted(waves, 399).complete(waves.slice(0, 398))).toBe(waves);
    expect(pasted(waves, 400).complete(waves.slice(0, 400))).toBe(waves);
  });

  it('completes no other text, and none whose end was changed', () => {
    const rest = pasted(LONG);
    const changed = `${LONG.slice(0, ROOM - 20)}!${LONG.slice(ROOM - 20, ROOM)}`;
    expect([rest.complete('another text'), rest.complete(changed)]).toEqual(['another text', changed]);
    expect([rest.isChangedAtCut('another text'), rest.isChangedAtCut(changed)]).toEqual([false, true]);
    expect(rest.isChangedAtCut(LONG.slice(0, ROOM))).toBe(false);
  });

  it('completes nothing after it is forgotten, and when too little fitted', () => {
    const rest = pasted(LONG);
    rest.forget();
    expect(rest.complete(LONG.slice(0, ROOM))).toBe(LONG.slice(0, ROOM));
    expect(rest.keep(LONG, 100)).toBe(false);
    expect(rest.complete(LONG.slice(0, 100))).toBe(LONG.slice(0, 100));
    expect(rest.isChangedAtCut(LONG)).toBe(false);
    expect(rest.keep(LONG, 101)).toBe(true);
    expect(rest.complete(LONG.slice(0, 101))).toBe(LONG);
  });

  it('completes any text without repetitions around its place, wherever it is pasted', () => {
    const anyText = fc
      .array(fc.nat({ max: 1_000_000 }), { minLength: 60, maxLength: 200 })
      .map((list) => list.join(' '));
    const others = fc.record({ before: fc.string(), after: fc.string() });
    fc.assert(
      fc.property(anyText, others, fc.integer({ min: 101, max: 400 }), (text, { before, after }, room) => {
        fc.pre(room < text.length);
        const rest = pasted(text, room);
        expect(rest.complete(`${before}${text.slice(0, room)}${after}`)).toBe(`${before}${text}${after}`);
      }),
      { seed: 20_261_122 },
    );
  });
});
