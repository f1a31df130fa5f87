import type { Revert } from './revert.ts';

/** Frames of the platform, and frames of a page at the bridge. */
export const protocolReverts: readonly Revert[] = [
  {
    name: 'a frame nested deeper than 200 levels is rejected',
    scenario: 'fuzz',
    edits: [
      {
        file: 'src/shared/protocol/decodeUpdate.ts',
        now: `if (isTooDeep(data, FRAME_DEPTH)) return rejected('tooDeep');`,
        without: '',
      },
    ],
  },
  {
    name: 'the inspector rejects a frame nested deeper than 200 levels',
    scenario: 'inspector',
    edits: [
      {
        file: 'src/shared/protocol/decodeUpdate.ts',
        now: `if (isTooDeep(data, FRAME_DEPTH)) return rejected('tooDeep');`,
        without: '',
      },
    ],
  },
  {
    name: 'a frame with its own __proto__ is rejected',
    scenario: 'fuzz',
    edits: [
      {
        file: 'src/shared/protocol/decodeUpdate.ts',
        now: `if (hasProtoKey(data, frame)) return rejected('protoKey');`,
        without: '',
      },
    ],
  },
  {
    name: 'a message that cannot be sent to the windows is logged and not sent',
    scenario: 'fuzz',
    assertion: 'no uncaught error',
    edits: [
      {
        file: 'src/shared/protocol/decodeUpdate.ts',
        now: `if (hasProtoKey(data, frame)) return rejected('protoKey');`,
        without: '',
      },
      {
        file: 'src/shared/protocol/decodeUpdate.ts',
        now: `if (isTooDeep(data, FRAME_DEPTH)) return rejected('tooDeep');`,
        without: '',
      },
      { file: 'src/main/base/attemptSend.ts', now: `  try {\n    send();`, without: `  send();\n  try {` },
    ],
  },
  {
    name: 'an error in a tick does not stop the queue',
    scenario: 'fuzz',
    assertion: 'a good conversation',
    edits: [
      // Frames that cause an error in their tick: they are rejected, and the error is caught.
      {
        file: 'src/shared/protocol/decodeUpdate.ts',
        now: `if (isTooDeep(data, FRAME_DEPTH)) return rejected('tooDeep');`,
        without: '',
      },
      { file: 'src/main/base/attemptSend.ts', now: `  try {\n    send();`, without: `  send();\n  try {` },
      {
        file: 'src/shared/store/queueMiddleware.ts',
        now: `      isReleasing = false;\n      // Also after an error: the next update has its tick.\n      schedule();\n    }`,
        without: `      isReleasing = false;\n    }\n    schedule();`,
      },
    ],
  },
  {
    name: 'what a page sends is checked before it is revived',
    scenario: 'hostile-page',
    edits: [
      {
        file: 'src/web/bridge/bridge.ts',
        now: `if (!isFlatTree(flat)) throw new TypeError('Not a value that a page sends.');`,
        without: '',
      },
      {
        file: 'src/web/bridge/bridge.ts',
        now: `if (list.length > MAX_ARGUMENTS) throw new TypeError('More arguments than a page sends.');`,
        without: '',
      },
    ],
  },
];
