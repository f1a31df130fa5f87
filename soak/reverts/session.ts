import type { Revert } from './revert.ts';

/** The queue, the connection and errors of the main process. */
export const sessionReverts: readonly Revert[] = [
  {
    name: 'a released update leaves memory at once',
    scenario: 'flaps',
    edits: [
      {
        file: 'src/shared/store/queue.ts',
        now: '  waiting: dequeue(queue.waiting),',
        without: '  waiting: dequeue(queue.waiting),\n  ...Object({ released: queue }),',
      },
    ],
  },
  {
    name: 'the limit of the queue counts memory, not wire bytes',
    scenario: 'flood',
    assertion: 'MB are held',
    edits: [
      {
        file: 'src/main/session/estimateMemory.ts',
        now: 'let total = UPDATE_BYTES + (frame.length === characters ? characters : 2 * characters);',
        without: 'let total = frame.length; if (total > 0) return total;',
      },
    ],
  },
  {
    name: 'uncaught errors are logged, and the program continues',
    scenario: 'errors',
    edits: [
      {
        file: 'src/main/main.ts',
        now: 'handleUncaughtErrors({ source: process, log,',
        without: 'void handleUncaughtErrors; void ({ source: process, log,',
      },
    ],
  },
  {
    name: 'data for a platform that does not read is limited',
    scenario: 'unread',
    edits: [
      {
        file: 'src/main/session/socket.ts',
        now: `if (socket.bufferedAmount > OUTGOING_BYTES) return 'full';`,
        without: '',
      },
    ],
  },
  {
    name: 'the window says how many updates wait',
    scenario: 'burst',
    edits: [
      {
        file: 'src/ui/window/shell/Backlog.tsx',
        now: 'if (updates === 0) return null;',
        without: 'return null;',
      },
    ],
  },
  {
    name: 'a stall is not taken for sleep, however little processor time the process gets',
    scenario: 'clock',
    assertion: 'a stop of the process',
    edits: [
      {
        file: 'src/web/electron.ts',
        now: "awakeTime: process.platform === 'linux' ? () => performance.now() : undefined,",
        without: 'awakeTime: undefined,',
      },
    ],
  },
  {
    name: 'a frame of the platform may be 320 MB',
    scenario: 'large',
    edits: [
      {
        file: 'src/shared/limits.ts',
        now: 'export const FRAME_BYTES = 320 * 1024 * 1024;',
        without: 'export const FRAME_BYTES = 64 * 1024 * 1024;',
      },
    ],
  },
  {
    name: 'a session that failed at two starts is not launched at the third',
    scenario: 'failed-starts',
    assertion: 'the third start',
    edits: [
      {
        file: 'src/main/session/messenger.ts',
        now: 'if (!isSignedIn() || !startGuard.hasFailed()) return launch();',
        without: 'return launch();',
      },
    ],
  },
  {
    name: 'a silence is not counted during a stall',
    scenario: 'silent',
    assertion: 'after a stall',
    edits: [
      {
        file: 'src/main/session/watchSilence.ts',
        now: 'else checkAtEnd(lastDataAt);',
        without:
          'else if (lastDataAt + PEER_SILENCE_MS <= clock.now()) onSilent(); else checkAtEnd(lastDataAt);',
      },
    ],
  },
  {
    name: 'a slow frame is not a silence',
    scenario: 'slow',
    assertion: 'the connection stays',
    edits: [
      {
        file: 'src/main/session/socket.ts',
        now: "tcpSocket.on('data', silence.onData)",
        without: "socket.on('message', silence.onData)",
      },
    ],
  },
  {
    name: 'data that arrives during a stall at the end of a silence is read before the connection is closed',
    scenario: 'silent',
    assertion: 'at the end of a silence',
    edits: [
      {
        file: 'src/main/session/watchSilence.ts',
        now: 'cancel = afterResponsiveTime(clock, LAST_MS,',
        without: 'cancel = clock.after(LAST_MS,',
      },
    ],
  },
  {
    name: 'a pong that arrives during a stall after a sleep is read before the connection is closed',
    scenario: 'clock',
    assertion: 'a stall right after',
    edits: [
      {
        file: 'src/main/session/watchResume.ts',
        now: 'afterResponsiveTime(clock, RESUME_PONG_MS, terminate)',
        without: 'clock.after(RESUME_PONG_MS, terminate)',
      },
    ],
  },
  {
    name: 'a flood of small frames does not block other work',
    scenario: 'flood',
    assertion: 'other work',
    edits: [
      {
        file: 'src/main/session/socket.ts',
        now: 'allowSynchronousEvents: false,',
        without: 'allowSynchronousEvents: true,',
      },
    ],
  },
];
