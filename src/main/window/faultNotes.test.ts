import { expect, test } from 'vitest';
import { createFaultNotes } from './faultNotes.ts';

const error = (code: string) => Object.assign(new Error(code), { code });
const FULL = 'The disk is full: the log and recordings are paused. Free some space, and they continue.';
const CONTINUED = 'Files can be written again: the log and recordings continue.';

function notesForTest() {
  const said: string[] = [];
  return {
    said,
    faults: createFaultNotes({ notify: (words) => said.push(words), resolve: (words) => said.push(words) }),
  };
}

test('notifies once that the disk is full, and again only after all parts recovered', () => {
  const { said, faults } = notesForTest();
  faults.paused('log', error('ENOSPC'));
  faults.paused('recording', error('ENOSPC'));
  expect(said).toEqual([FULL]);
  faults.resumed('log');
  expect(said).toEqual([FULL]);
  faults.resumed('recording');
  faults.paused('log', error('EDQUOT'));
  expect(said).toEqual([FULL, CONTINUED, FULL]);
});

test('notifies why a recording is paused for another reason, but not for the log', () => {
  const { said, faults } = notesForTest();
  faults.paused('log', error('EROFS'));
  faults.paused('recording', error('EROFS'));
  faults.resumed('log');
  faults.resumed('recording');
  expect(said).toEqual([
    'Recording is paused: the disk is read-only. It continues when the file can be written.',
    CONTINUED,
  ]);
});
