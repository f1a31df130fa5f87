import { randomUUID } from 'node:crypto';
import type { Fault } from './startFaultyPlatform.ts';
import {
  type SeededFault,
  changeFrames,
  addAfter,
  dropMessages,
  isClient,
  isAnswer,
  isSnapshot,
  isMessage,
  lengthOf,
  objectOf,
  changeEcho,
} from './seededFault.ts';

/** Holds the first of three texts back until the next one. */
function swapTexts(): Fault {
  let held: readonly string[] = [];
  return {
    toPlatform(data) {
      if (data.includes('"one ')) {
        held = [data];
        return [];
      }
      const frames = [data, ...held];
      held = [];
      return frames;
    },
  };
}

/** Lets an answer run on after the next text of the person. */
function runOn(): Fault {
  let isRunning = false;
  return {
    toClient(frame) {
      const fields = objectOf(frame);
      if (isAnswer(fields)) isRunning = true;
      if (fields.context === 'Echo') isRunning = false;
      if (fields.context === 'Echo · stopped') return [];
      return isClient(fields) && isRunning ? [frame, '{"text":"the rest of the answer"}'] : [frame];
    },
  };
}

/** Faults of what the platform returns. */
export const echoFaults: readonly SeededFault[] = [
  { id: 'echo-text', words: 'returns no texts', fault: dropMessages(({ category }) => category === 'text') },
  { id: 'echo-text', words: 'changes texts', fault: changeEcho('text', { text: 'something else' }) },
  { id: 'echo-image', words: 'returns images as files', fault: changeEcho('image', { category: 'file' }) },
  { id: 'echo-file', words: 'returns files without their content', fault: changeEcho('file', { blob: '' }) },
  { id: 'echo-audio', words: 'gives recordings a text', fault: changeEcho('audio', { text: 'A recording' }) },
  { id: 'long-text', words: 'drops long texts', fault: dropMessages(({ text }) => lengthOf(text) > 200) },
  {
    id: 'large-file',
    words: 'drops files over 500 kB',
    fault: dropMessages(({ blob }) => lengthOf(blob) > 600_000),
  },
  { id: 'order', words: 'returns texts in another order', fault: swapTexts },
];

const label = (text: string) => JSON.stringify({ context: text });

const said = (fields: object) =>
  JSON.stringify({
    id: randomUUID(),
    modifier: 'admin',
    content: [{ category: 'text', text: 'Said.' }],
    ...fields,
  });

/** Faults of the fields of answers (contract §9). */
const formatFaults: readonly SeededFault[] = [
  {
    id: 'format',
    also: ['answer'],
    words: 'gives an image a format',
    fault: addAfter(isAnswer, ['{"category":"image","text":"a.png","blob":"AAAA","format":"markdown"}']),
  },
  {
    id: 'growth',
    also: ['answer'],
    words: 'loses a character of an answer',
    fault: changeFrames((frame) =>
      typeof frame.text === 'string' && !('category' in frame) ? { text: frame.text.slice(1) } : frame,
    ),
  },
  {
    id: 'growth',
    also: ['answer'],
    words: 'sends a long answer again and again',
    fault: addAfter(isAnswer, [
      '{"category":"text","text":"","format":"markdown"}',
      JSON.stringify({ text: 'x'.repeat(4001) }),
    ]),
  },
  {
    id: 'notices',
    also: ['answer'],
    words: 'gives a notice an unknown button',
    fault: addAfter(isAnswer, [said({ notice: true, action: 'buy' })]),
  },
  {
    id: 'notices',
    also: ['answer'],
    words: 'gives a notice the assistant’s name',
    fault: addAfter(isAnswer, [said({ notice: true, context: 'Echo' })]),
  },
  {
    id: 'dividers',
    also: ['answer'],
    words: 'sends a divider as the assistant',
    fault: addAfter(isAnswer, [said({ divider: true, modifier: 'ai' })]),
  },
  {
    id: 'times',
    also: ['echo-text'],
    words: 'gives a message its time as a number',
    fault: changeFrames((frame) => (isMessage(frame) ? { ...frame, time: 1_793_000_000_000 } : frame)),
  },
];

/** Faults of updates. */
export const updateFaults: readonly SeededFault[] = [
  {
    id: 'answer',
    words: 'sends a burst of updates',
    fault: addAfter(
      isAnswer,
      Array.from({ length: 40 }, (_, n) => label(`${n}`)),
    ),
  },
  { id: 'interrupted', words: 'lets an answer run on after the next text', fault: runOn },
  {
    id: 'unchanged',
    also: ['echo-text'],
    words: 'overwrites the person’s words',
    fault: addAfter(isClient, ['{"text":"overwritten"}']),
  },
  {
    id: 'frames',
    also: ['echo-text'],
    words: 'sends a label that is a number',
    fault: addAfter(isClient, ['{"context":5}']),
  },
  {
    id: 'frames',
    also: ['echo-text'],
    words: 'sends a binary frame',
    fault: addAfter(isClient, [Buffer.from('{"context":"a"}')]),
  },
  {
    id: 'targets',
    also: ['echo-text'],
    words: 'sends a label before any message',
    fault: addAfter(isSnapshot, [label('early')]),
  },
  {
    id: 'ids',
    also: ['order'],
    words: 'gives messages the same id',
    fault: changeFrames((frame) => (isMessage(frame) ? { ...frame, id: 'm1' } : frame)),
  },
  {
    id: 'ids',
    also: ['echo-text'],
    words: 'gives messages no id',
    fault: changeFrames((frame) => ({ ...frame, id: '' })),
  },
  {
    id: 'modifiers',
    also: ['answer'],
    words: 'names another sender',
    fault: changeFrames((frame) => (isAnswer(frame) ? { ...frame, modifier: 'assistant' } : frame)),
  },
  {
    id: 'avatars',
    also: ['echo-text'],
    words: 'sends the address of an avatar',
    fault: changeFrames((frame) =>
      isMessage(frame) ? { ...frame, avatar: 'https://example.org/ada.png' } : frame,
    ),
  },
  {
    id: 'items',
    also: ['echo-image'],
    words: 'sends an image without its content',
    fault: changeEcho('image', { blob: null }),
  },
  ...formatFaults,
  {
    id: 'words',
    words: 'lists its words as a text',
    fault: changeFrames((frame) => (isSnapshot(frame) ? { ...frame, words: 'stop' } : frame)),
  },
];
