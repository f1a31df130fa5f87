import { expect, it } from 'vitest';
import type { Edit } from '../../protocol/protocol.ts';
import { nextInsertion, withoutEdit } from './whatIf.ts';

const inserted = (id: number, record: number) => ({ kind: 'insert', record, data: '', id }) as const;

it('undoes an insertion with the edits of its frame, and keeps the others', () => {
  const first = inserted(1, 4);
  const skip: Edit = { kind: 'skip', record: 4 };
  const edits: Edit[] = [
    first,
    skip,
    inserted(2, -1),
    { kind: 'replace', record: -2, data: '' },
    inserted(3, 4),
  ];
  expect(withoutEdit(edits, first)).toEqual([skip, inserted(3, 4)]);
  expect(withoutEdit(edits, skip)).toEqual(edits.toSpliced(1, 1));
  expect(nextInsertion(edits)).toBe(4);
  expect(nextInsertion([])).toBe(1);
});
