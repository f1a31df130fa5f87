import { pluralize } from '#shared/formatText.ts';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { ContentItem, Message } from '#shared/protocol/update.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import {
  ASSISTANT,
  type AnswerPlace,
  type Assistant,
  type Assistants,
  type ConnectionEffect,
  type NewId,
} from './assistant.ts';
import { readAssistantWord } from './controlWords.ts';
import { notice } from './markedMessage.ts';
import { avatar } from './pictures.ts';
import { FILE_SAMPLE, HTML_SAMPLE, VOICE_SAMPLE, WORDS_LIST, imageSample } from './samples.ts';
import { divider, readNewTopic } from './topics.ts';

/** The options of `createDemonstrations`. */
interface DemonstrationOptions {
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Creates the assistants that answer by scripts, on this machine alone: they show what a client can receive. */
export const createDemonstrations = ({ clock, newId }: DemonstrationOptions): Assistants => ({
  greeting: (person) => greeting(person, newId),
  create: () => createDemonstration({ clock, newId }),
});

function createDemonstration({ clock, newId }: DemonstrationOptions): Assistant {
  let steps: Step[] = [];
  let cancel: Cancel | undefined;
  let running: AnswerPlace | undefined;

  const takeNext = (place: AnswerPlace) => {
    const [step] = steps;
    if (step === undefined) return;
    cancel = clock.after(step.afterMs, () => {
      // Also takes the following steps without a pause: thousands of timers would only delay them.
      const wait = steps.findIndex(({ afterMs }, index) => index > 0 && afterMs > 0);
      for (const due of steps.splice(0, wait === -1 ? steps.length : wait)) take(due, place);
      takeNext(place);
    });
  };
  return {
    words: ['new topic'],
    readWord: (text, messages) => (readAssistantWord(text) === 'new topic' ? readNewTopic(messages) : null),
    obey: (_, place) => place.send(divider(newId)),
    answer(question, place) {
      running = place;
      steps = [...replyTo(question, newId)];
      takeNext(place);
    },
    /** Sends the rest of the script at once. */
    end() {
      cancel?.();
      for (const step of steps.splice(0)) if (running !== undefined) take(step, running);
    },
    drop() {
      cancel?.();
      steps = [];
    },
  };
}

const take = (step: Step, place: AnswerPlace): void =>
  'frame' in step ? place.send(step.frame) : place.affect(step.effect);

/** One step of an answer: an update (spec §6.1) or a connection effect; `afterMs` is the pause before it. */
type Step = { readonly afterMs: number } & (
  | { readonly frame: object }
  | { readonly effect: ConnectionEffect }
);

/** An answer: its steps in order. */
type Script = readonly Step[];

/** The pause before an answer. */
export const REPLY_MS = 400;
/** The pause between two words of a streamed answer. */
export const WORD_MS = 150;
/** The pause before a notification: long enough to switch to another window. */
export const NOTIFY_MS = 4000;
/** The pause before a connection effect: long enough to read its announcement. */
export const EFFECT_MS = 1500;
/** The most messages that `many` sends. */
const MANY_AT_MOST = 500;

const textItem = (text: string): ContentItem => ({ category: 'text', text, html: null, blob: null });

/** Returns a message of the assistant. */
const message = (newId: NewId, ...content: ContentItem[]): Message => ({
  id: newId(),
  modifier: 'ai',
  content,
  context: ASSISTANT,
  avatar: avatar(),
  seen: true,
});

const answerWith = (newId: NewId, ...content: ContentItem[]): Script => [
  { afterMs: REPLY_MS, frame: message(newId, ...content) },
];

/** Returns the first message for a person who has just registered. */
const greeting = (person: string, newId: NewId): Message =>
  notice(
    newId,
    `Hello, ${person}. This is a demonstration: no model answers. I repeat what you write; send “help” to see more.`,
    { action: 'connect' },
  );

const WORDS: Readonly<Record<string, (newId: NewId) => Script>> = {
  html: (newId) => answerWith(newId, HTML_SAMPLE),
  image: (newId) => answerWith(newId, imageSample()),
  file: (newId) => answerWith(newId, FILE_SAMPLE),
  voice: (newId) => answerWith(newId, VOICE_SAMPLE),
  several: (newId) =>
    answerWith(newId, textItem('Four items, one message:'), HTML_SAMPLE, imageSample(), FILE_SAMPLE),
  stream,
  notify: (newId) => [
    ...answerWith(newId, textItem('In four seconds I shall notify you. Turn to another window.')),
    { afterMs: NOTIFY_MS, frame: message(newId, textItem('This is the notification that you asked for.')) },
    { afterMs: 0, frame: { notify: true } },
  ],
  admin: (newId) => [
    {
      afterMs: REPLY_MS,
      frame: {
        ...message(newId, textItem('A message from the administration stands in the middle.')),
        modifier: 'admin',
        context: 'Administration',
        avatar: '',
      },
    },
  ],
  drop: (newId) => announceEffect(newId, 'drop', 'I cut the connection now; it comes back by itself.'),
  close: (newId) =>
    announceEffect(newId, 'close', 'I close the connection for maintenance now; you can reconnect.'),
  signout: (newId) =>
    announceEffect(newId, 'signOut', 'I end your sign-in now. Your account stays: log in again.'),
  help: (newId) => answerWith(newId, textItem('These are the words that I know:'), WORDS_LIST),
};

const announceEffect = (newId: NewId, effect: ConnectionEffect, announcement: string): Script => [
  ...answerWith(newId, textItem(announcement)),
  { afterMs: EFFECT_MS, effect },
];

const STREAMED = [
  'This answer was not ready when it began: it grows word by word, as an assistant’s answers do.',
  'A second item follows in the same message, and when all is said its label changes back.',
] as const;

/** Returns a streamed answer: an empty item whose text grows word by word, a second one, and a label that changes twice. */
function stream(newId: NewId): Script {
  const [first, second] = STREAMED;
  return [
    { afterMs: REPLY_MS, frame: message(newId, textItem('')) },
    { afterMs: 0, frame: { context: `${ASSISTANT} is writing…` } },
    ...growingText(first),
    { afterMs: 4 * WORD_MS, frame: textItem('') },
    ...growingText(second),
    { afterMs: WORD_MS, frame: { context: ASSISTANT } },
  ];
}

function growingText(text: string): Script {
  const words = text.split(' ');
  return words.map((_, index) => ({
    afterMs: WORD_MS,
    frame: { text: words.slice(0, index + 1).join(' ') },
  }));
}

/** Returns the answer to `rename Ada King`, which changes the person's name (spec §6.1, row 2). */
const rename = (name: string, newId: NewId): Script => [
  { afterMs: REPLY_MS, frame: { name } },
  { afterMs: 0, frame: message(newId, textItem(`From now on you are ${name}.`)) },
];

function many(digits: string, newId: NewId): Script {
  const count = Math.min(Number(digits), MANY_AT_MOST);
  return Array.from({ length: count }, (_, index) => ({
    afterMs: index === 0 ? REPLY_MS : 0,
    frame: message(newId, textItem(`Message ${index + 1} of ${count}.`)),
  }));
}

function replyToText(text: string, newId: NewId): Script {
  const words = text.trim();
  const key = words.toLowerCase();
  const known = Object.hasOwn(WORDS, key) ? WORDS[key] : undefined;
  if (known !== undefined) return known(newId);
  const name = /^rename\s+(?<name>.+)$/iu.exec(words)?.groups?.name;
  if (name !== undefined) return rename(name, newId);
  const count = /^many\s+(?<count>[1-9]\d*)$/iu.exec(words)?.groups?.count;
  if (count !== undefined) return many(count, newId);
  return answerWith(newId, textItem(`You said: ${text}`));
}

/** Returns the size of a blob: `812 bytes`, `12.3 kB`. */
function sizeOf(blob: string): string {
  const bytes = Buffer.byteLength(blob, 'base64');
  if (bytes < 1000) return pluralize(bytes, 'byte');
  return `${(bytes / 1000).toFixed(1)} kB`;
}

/** Returns the assistant's answer to a message of the person. Pure, except for the identifiers from `newId`. */
function replyTo({ category, text, blob }: Outgoing, newId: NewId): Script {
  switch (category) {
    case 'text':
      return replyToText(text, newId);
    case 'audio':
      return answerWith(newId, textItem(`I have received a recording of ${sizeOf(blob)}.`));
    case 'image':
    case 'file':
      return answerWith(newId, textItem(`I have received the ${category} “${text}” of ${sizeOf(blob)}.`));
    default:
      return category satisfies never;
  }
}
