import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { STEP_KINDS } from '../trace/stepKinds.ts';
import { copyTrace, lastStep, recordReader, stepOf } from '../trace/trace.ts';
import { TraceExtender } from '../trace/TraceExtender.ts';
import { stateAtEnd } from '../trace/stateReader.ts';
import { type StepFilter, entryOf, filterSteps } from './filterSteps.ts';
import { wireText } from '../trace/steps.ts';
import { runTask } from '../trace/task.ts';
import { captureText } from '../testing/captureText.ts';
import { expectedSteps } from '../testing/expectedSteps.ts';
import { traceOf } from '../testing/modelOf.ts';

const anyFilter: fc.Arbitrary<StepFilter> = fc.record(
  {
    text: fc.constantFrom('a', 'TEXT', '"modifier"', 'x', ''),
    kinds: fc.subarray([...STEP_KINDS]),
    changedOnly: fc.boolean(),
    from: fc.nat(3000),
    to: fc.nat(3000),
  },
  { requiredKeys: [] },
);

test('finds the same steps as a check of each step, for any session and any filter', () => {
  checkProperty(
    fc.property(anyRecords(), anyFilter, fc.nat(70), (records, filter, probe) => {
      const trace = traceOf(captureText(records));
      const read = recordReader(trace);
      const wanted = expectedSteps(records).flatMap(({ kind, t, record }, step) => {
        if (step === 0 || !(filter.kinds ?? STEP_KINDS).includes(kind)) return [];
        if (t < (filter.from ?? 0) || t > (filter.to ?? Infinity)) return [];
        if (filter.changedOnly === true && !stepOf(trace, step).isChanged) return [];
        const text = wireText(trace, read(record), record).toLowerCase();
        return text.includes((filter.text ?? '').toLowerCase()) ? [step] : [];
      });
      const list = runTask(filterSteps(trace, filter));
      expect(list.lasts).toEqual(wanted);
      expect(entryOf(list, probe)).toBe(wanted.filter((step) => step <= probe).length - 1);
      expect(entryOf(list, lastStep(trace))).toBe(list.lasts.length - 1);
    }),
  );
});

const act = (type: string, text?: string, window = 1): CaptureRecord => ({
  t: 1,
  type: 'action',
  action: { type, ...(text !== undefined && { payload: { text } }) },
  window,
});

/** Ten steps: two other actions around edits of two fields, then the same field in another window. */
const EDITS = [
  act('textBox/opened', 'h'),
  act('textBox/edited', 'he'),
  act('textBox/edited', 'hel'),
  act('textBox/edited', 'hell'),
  act('find/edited', 'a'),
  act('find/edited', 'ab'),
  act('textBox/edited', 'hello'),
  act('textBox/edited', 'x', 2),
  act('textBox/sent'),
  act('textBox/edited', 'y'),
];

const listed = (filter: StepFilter, records: readonly CaptureRecord[] = EDITS) => {
  const list = runTask(filterSteps(traceOf(captureText(records)), filter));
  return { ...list, entries: list.lasts, indexOf: (step: number) => entryOf(list, step) };
};

describe('consecutive edits of one field', () => {
  it('are one entry, which stands for all of them and is the last one', () => {
    const list = listed({ openEdits: [] });
    expect(list.entries).toEqual([1, 4, 6, 7, 8, 9, 10]);
    expect(list).toMatchObject({ firsts: { length: 7 }, steps: 10 });
    expect([1, 2, 3, 4, 5, 6].map(list.indexOf)).toEqual([0, 1, 1, 1, 2, 2]);
    expect(list.edits.get(1)).toEqual({ first: 2, count: 3, isOpen: false });
    expect(list.edits.get(3)).toBeUndefined();
  });

  it('are entries of their own when they are open', () => {
    const list = listed({ openEdits: [2, 8] });
    expect(list.entries).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10]);
    expect([2, 3, 4, 5].map(list.indexOf)).toEqual([1, 2, 3, 4]);
    expect(list.edits.get(1)).toEqual({ first: 2, count: 3, isOpen: true });
    expect(list.edits.get(3)).toEqual({ first: 2, count: 3, isOpen: true });
    expect(list.edits.get(4)).toEqual({ first: 5, count: 2, isOpen: false });
  });

  it('are not folded in a list that does not ask for it', () => {
    expect(listed({}).entries).toHaveLength(10);
  });

  it('are folded only where the filter keeps neighbours', () => {
    expect(listed({ openEdits: [], text: 'hel' }).entries).toEqual([4, 7]);
    expect(listed({ openEdits: [], kinds: ['received'] }).entries).toEqual([]);
  });

  it('are found across the places where a trace continues', () => {
    const trace = traceOf(captureText(EDITS), 7);
    expect(runTask(filterSteps(trace, { openEdits: [] })).lasts).toHaveLength(7);
    const copy = copyTrace(trace, 3);
    const extender = new TraceExtender(copy, stateAtEnd(copy));
    extender.take(act('textBox/edited', 'other'));
    expect(runTask(filterSteps(copy, { openEdits: [] })).edits.get(1)).toMatchObject({ first: 2, count: 3 });
  });
});
