import type { Revert } from './revert.ts';

/** The log and captures. */
export const recordReverts: readonly Revert[] = [
  {
    name: 'a log over 10 MB is rotated',
    scenario: 'logging',
    edits: [
      {
        file: 'src/log/createRotatingFile.ts',
        now: 'if (file.size > 0 && file.size + bytes.length > maxBytes) {',
        without: 'if (file.size > Number.MAX_SAFE_INTEGER - maxBytes) {',
      },
    ],
  },
  {
    name: 'repeated lines of the log are limited',
    scenario: 'logging',
    edits: [
      {
        file: 'src/log/createLogger.ts',
        now: 'timestamp: stdTimeFunctions.isoTime, hooks }',
        without: 'timestamp: stdTimeFunctions.isoTime }',
      },
    ],
  },
  {
    name: 'a log that cannot be written does not end the program',
    scenario: 'disk',
    edits: [
      {
        file: 'src/log/createRotatingFile.ts',
        now: '        fail(error);\n        return;',
        without: '        fail(error);\n        setImmediate(() => process.exit(1));\n        return;',
      },
    ],
  },
  {
    name: 'a stderr that cannot be written does not end the program',
    scenario: 'logging',
    edits: [
      {
        file: 'src/log/createStderrWriter.ts',
        now: 'writeSync(fd, lines);\n      } catch {\n        ignore();',
        without: 'writeSync(fd, lines);\n      } catch (error) {\n        throw error;',
      },
    ],
  },
  {
    name: 'recording continues when there is room again',
    scenario: 'disk',
    assertion: 'recording continues',
    edits: [
      {
        file: 'src/main/capture/captureFile.ts',
        now: 'if (writing !== undefined || gathered.isEmpty()) return;',
        without: 'if (writing !== undefined || gathered.isEmpty() || failures.isFailing()) return;',
      },
    ],
  },
  {
    name: 'a line of a capture that was written in part is removed',
    scenario: 'disk',
    assertion: 'a capture is readable',
    edits: [
      {
        file: 'src/main/capture/wholeLines.ts',
        now: 'if (!isWhole) await file.truncate(size);',
        without: '',
      },
    ],
  },
  {
    name: 'lines of a capture that were not written are kept',
    scenario: 'disk',
    assertion: 'every update is recorded',
    edits: [{ file: 'src/main/capture/captureFile.ts', now: 'gathered.putBack(batch);', without: '' }],
  },
  {
    name: 'the window says once that the disk is full',
    scenario: 'disk',
    assertion: 'says it once',
    edits: [
      {
        file: 'src/main/window/faultNotes.ts',
        now: 'if (!isKnown) notify(text);',
        without: 'notify(text);',
      },
    ],
  },
];
