import { expect, test } from 'vitest';
import { createFaultNotes } from './faultNotes.ts';

const error = (code: string) => Object.assign(new Error(code), { code });
const FULL = 'The disk is full: the log and recordings are paused. Free some space, and they continue.';
const CONTINUED = 'Files can be written again: the log and recordings continue.';

function notesForTest() {
  const notes: string[] = [];
  return {
    notes,
    faults: createFaultNotes({ notify: (text) => notes.push(text), resolve: (text) => notes.push(text) }),
  };
}

test('notifies once that the disk is full, and again only after all parts recovered', () => {
  const { notes, faults } = notesForTest();
  faults.paused('log', error('ENOSPC'));
  faults.paused('recording', error('ENOSPC'));
  expect(notes).toEqual([FULL]);
  faults.resumed('log');
  expect(notes).toEqual([FULL]);
  faults.resumed('recording');
  faults.paused('log', error('EDQUOT'));
  expect(notes).toEqual([FULL, CONTINUED, FULL]);
});

test('notifies why a recording is paused for another reason, but not for the log', () => {
  const { notes, faults } = notesForTest();
  faults.paused('log', error('EROFS'));
  faults.paused('recording', error('EROFS'));
  faults.resumed('log');
  faults.resumed('recording');
  expect(notes).toEqual([
    'Recording is paused: the disk is read-only. It continues when the file can be written.',
    CONTINUED,
  ]);
});
