import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { parleyApp } from '../inspector/model/apps/parley.ts';
import { rowReader } from '../inspector/model/trace/steps.ts';
import { stateReader } from '../inspector/model/trace/stateReader.ts';
import { lastStep } from '../inspector/model/trace/trace.ts';
import { isDifferent, valueReader } from '../inspector/model/trace/valuePath.ts';
import { captureText } from '../inspector/model/testing/captureText.ts';
import { traceOf } from '../inspector/model/testing/modelOf.ts';
import type { StepOrTime } from '../base/commandOptions.ts';
import { ValueHistory } from './valueHistory.ts';

/** Returns the history of a path over records. */
function historyOf(records: readonly CaptureRecord[], path: string, at?: StepOrTime): ValueHistory {
  const history = new ValueHistory(parleyApp, path, at);
  for (const record of records) history.take(record);
  history.pass();
  return history;
}

const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

const PATHS = [
  'person',
  'messages',
  'messages.length',
  'messages[0]',
  'messages[1].content',
  'messages[0].content[0].text',
  'messages[1].seen',
  'connection.status',
  'attention.title',
  'windows',
  'counts',
  'counts.rejected',
  'queue.length',
  'preferences',
];

test('finds exactly the steps at which the inspector shows another value, with its numbers and texts, for any path of any session', () => {
  checkProperty(
    fc.property(anyRecords(), fc.constantFrom(...PATHS), (records, path) => {
      const trace = traceOf(captureText(records));
      const stateAt = stateReader(trace);
      const rowOf = rowReader(trace, stateAt);
      const read = valueReader(parleyApp, path);
      const expected = Array.from({ length: lastStep(trace) }, (_, i) => i + 1).flatMap((step) => {
        const [before, after] = [read(stateAt(step - 1)), read(stateAt(step))];
        if (!isDifferent(before, after)) return [];
        const { kind, t, summary, record } = rowOf(step);
        return { step, kind, t, summary, record, before: plain(before), after: plain(after) };
      });
      const found = historyOf(records, path).entries.map(
        ({ step, kind, t, summary, frame, before, after }) => ({
          step,
          kind,
          t,
          summary,
          record: frame.record,
          before: plain(before),
          after: plain(after),
        }),
      );
      expect(found).toEqual(expected);
    }),
    300,
  );
});
