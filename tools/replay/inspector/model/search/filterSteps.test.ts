import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { STEP_KINDS, type StepFilter } from '../../protocol/protocol.ts';
import { isChangedAt, lastStep, traceReader } from '../trace/trace.ts';
import { filterSteps } from './filterSteps.ts';
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
      const read = traceReader(trace);
      const wanted = expectedSteps(records).flatMap(({ kind, t, record }, step) => {
        if (step === 0 || !(filter.kinds ?? STEP_KINDS).includes(kind)) return [];
        if (t < (filter.from ?? 0) || t > (filter.to ?? Infinity)) return [];
        if (filter.changedOnly === true && !isChangedAt(trace, step)) return [];
        const text = wireText(trace, read(record), record).toLowerCase();
        return text.includes((filter.text ?? '').toLowerCase()) ? [step] : [];
      });
      const list = runTask(filterSteps(trace, filter));
      expect(Array.from({ length: list.count }, (_, i) => list.at(i))).toEqual(wanted);
      expect(list.indexOf(probe)).toBe(wanted.filter((step) => step <= probe).length - 1);
      expect(list.indexOf(lastStep(trace))).toBe(list.count - 1);
    }),
  );
});
