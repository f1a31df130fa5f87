import type { Fault, FaultyConnection } from './startFaultyPlatform.ts';
import { type SeededFault, objectOf, changeFrames, isClient, isSnapshot, isMessage } from './seededFault.ts';

/** Faults of a socket. */
export const socketFaults: readonly SeededFault[] = [
  {
    id: 'snapshot',
    words: 'sends no snapshot',
    fault: () => ({ toClient: (frame) => (isSnapshot(objectOf(frame)) ? [] : [frame]) }),
  },
  {
    id: 'snapshot',
    words: 'sends another update first',
    fault: () => ({
      toClient: (frame) => (isSnapshot(objectOf(frame)) ? ['{"name":"Ada"}', frame] : [frame]),
    }),
  },
  {
    id: 'person',
    words: 'changes the name',
    fault: changeFrames((frame) => (isSnapshot(frame) ? { ...frame, person: 'Other' } : frame)),
  },
  { id: 'pong', words: 'answers no pings', fault: () => ({ ignoresPings: true }) },
  { id: 'unauthorized', words: 'closes without a reason', fault: () => ({ closeReason: () => '' }) },
  {
    id: 'unauthorized',
    words: 'closes with another reason',
    fault: () => ({ closeReason: () => 'unknown account' }),
  },
  {
    id: 'logout',
    words: 'signs out every client when one leaves',
    fault: () => ({ onClientClose: (_, all) => all.forEach(({ close }) => close(4401, 'unauthorized')) }),
  },
  {
    id: 'closes',
    also: ['echo-text'],
    words: 'closes a socket after a text',
    fault: () => ({
      toClient(frame, { close }) {
        if (isClient(objectOf(frame))) setImmediate(() => close(1012, 'maintenance'));
        return [frame];
      },
    }),
  },
];

/** Sends each frame to the clients of every account. */
const toEveryone = (
  frame: string,
  { account }: FaultyConnection,
  all: readonly FaultyConnection[],
): readonly string[] => {
  if (isClient(objectOf(frame))) for (const one of all) if (one.account !== account) one.send(frame);
  return [frame];
};

/** Holds the person's messages back on the second socket until the next frame. */
function swapOnSecond(): Fault {
  let held: readonly string[] = [];
  return {
    toClient(frame, { number }) {
      if (number !== 1) return [frame];
      if (isClient(objectOf(frame)) && held.length === 0) {
        held = [frame];
        return [];
      }
      const frames = [frame, ...held];
      held = [];
      return frames;
    },
  };
}

/** Faults with several clients. */
export const clientFaults: readonly SeededFault[] = [
  {
    id: 'two-clients',
    words: 'sends the person’s messages to one client only',
    fault: () => ({
      toClient: (frame, { number }) => (number === 1 && isMessage(objectOf(frame)) ? [] : [frame]),
    }),
  },
  { id: 'two-clients', words: 'sends the updates in another order', fault: swapOnSecond },
  {
    id: 'reconnect',
    words: 'forgets the newest message',
    fault: changeFrames((frame) =>
      Array.isArray(frame.messages) ? { ...frame, messages: frame.messages.slice(0, -1) } : frame,
    ),
  },
  { id: 'isolation', words: 'sends messages to every account', fault: () => ({ toClient: toEveryone }) },
  {
    id: 'invalid-frames',
    words: 'closes every socket for a wrong frame',
    fault: () => ({
      toPlatform(data, _, all) {
        if (data === '{') for (const { close } of all) close(1003, '');
        return [data];
      },
    }),
  },
  {
    id: 'large-frame',
    words: 'accepts no texts after a large frame',
    fault: dropAfterLargeFrame,
  },
];

function dropAfterLargeFrame(): Fault {
  let isFull = false;
  return {
    toPlatform(data) {
      isFull ||= data.length > 2e6;
      return isFull ? [] : [data];
    },
  };
}
