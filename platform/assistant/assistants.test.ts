import { expect, test } from 'vitest';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Step } from '../accounts/testing/answeringConversation.ts';
import { END, conversation, file, manualEndpoint } from '../accounts/testing/answeringConversation.ts';
import { tell } from '../accounts/testing/stories.ts';
import { type AnswerPart, EndpointError, type EndpointErrorKind } from '../endpoint/endpoint.ts';
import { eveningPicture } from './pictures.ts';

const PICTURE: Outgoing = { category: 'image', text: 'evening.png', blob: eveningPicture() };
const VOICE: Outgoing = { category: 'audio', text: null, blob: 'AAAA' };
const failure = (kind: EndpointErrorKind, retryAfterS?: number) =>
  new EndpointError(kind, `The endpoint says “${kind}”.`, retryAfterS);
const KINDS = [
  ...(['refused', 'notFound', 'unauthorized', 'unknownModel', 'rateLimited', 'loading', 'failed'] as const),
  ...(['stalled', 'cut', 'broken', 'tls', 'contextTooLong', 'tooLarge', 'unsupported', 'rejected'] as const),
];
const settings = { url: 'http://127.0.0.1:1/v1', model: 'named', key: null, prompt: null };
const demonstrate: Step = ({ holder }) => holder.set(null);
const useModel: Step = ({ holder }) => holder.set(settings);
const tooLarge = failure('tooLarge');
const CUT: AnswerPart = { kind: 'end', reason: 'length' };
/** The endpoint returns an empty text for each recording. */
const conversationWithoutWords = () => conversation([], { ...manualEndpoint(), transcribe: async () => ' ' });

const STORIES: Readonly<Record<string, readonly Step[]>> = {
  'settings without instructions': [useModel, 'hello', ['Hi.', END], 1000],
  'too large pictures': [PICTURE, 3000, tooLarge, ['A hill?', END], 1000, 'Look', tooLarge, tooLarge],
  'a long answer that reaches the limit': ['hello', 9501, ['Hi'], 500, [CUT], 1000],
  'a busy server': ['hello', failure('failed', 1), 1000, ['Hi.', END], 1000],
  'a server that is busy for a minute': ['hello', failure('failed', 61), 1000],
  'a server that loads then': ['hello', failure('failed', 1), 1000, failure('loading', 2), 1000],
  'a recording without words': [VOICE],
  'a second `stop`': [file('a.txt', 'One'), 'stop', 'cancel', 999, 'stop', 1, 'stop', ['What?', END], 1000],
  'a `stop` of another window': [file('a.txt', 'One'), 'new topic', 'stop', 1000],
  'a second `continue`': ['hello', ['Hi', CUT], 1000, 'continue', 999, 'continue', 1, 'continue'],
  'a second `again`': ['hello', ['Hi', END], 1000, 'again', 999, 'again', 1, 'again'],
  'a file during an answer': ['hello', ['Hi'], 125, file('stop', 'One'), 3000, ['Read.', END], 1000],
  'a model after the demonstration': [demonstrate, 'stream', 600, useModel, 'hello', ['Hi.', END], 1000],
  'a question during an answer of the demonstration': [demonstrate, 'one', 300, 'two', 399, 1],
  'a deleted account': [demonstrate, 'stream', 500, ({ live }) => live.close()],
  'a topic of the demonstration': [demonstrate, 'one', 400, 'New topic', 'new topic', 'stop', 400],
};

test('an assistant does what its settings say, and what it says depends on what has failed', async () => {
  const stories = await tell(
    Object.entries(STORIES).map(([title, steps]) => {
      const create = steps[0] === VOICE ? conversationWithoutWords : conversation;
      return [title, steps, create];
    }),
  );
  const actions: string[] = [];
  for (const kind of KINDS) {
    const { play, ada } = conversation();
    const failures = Array.from({ length: kind === 'contextTooLong' ? 5 : 1 }, () => failure(kind));
    await play('hello', ...failures, 1000, 'hello', ['Hi'], failure(kind), 1000);
    const notices = ada.conversation().messages.filter(({ modifier }) => modifier === 'admin');
    actions.push(`${kind}: ${notices.map((notice) => Object(notice).action).join(', ')}\n`);
  }
  const text = `${stories}\n# the buttons after a failure before and after the first words\n${actions.join('')}`;
  await expect(text).toMatchFileSnapshot('testing/assistants.txt');
});
