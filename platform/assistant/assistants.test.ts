import { expect, test } from 'vitest';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import {
  END,
  type Step,
  conversation,
  file,
  manualEndpoint,
} from '../accounts/testing/answeringConversation.ts';
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

const cut: AnswerPart = { kind: 'end', reason: 'length' };
const deaf = () => conversation([], { ...manualEndpoint(), transcribe: async () => ' ' });

const STORIES: Readonly<Record<string, readonly Step[]>> = {
  'settings without instructions have short ones, and name the model from the beginning': [
    ({ holder }) => holder.set(settings),
    ...['hello', ['Hi.', END], 1000],
  ],
  'pictures that are too large are left out once, and sent again with the next question': [
    ...[PICTURE, 3000, failure('tooLarge'), ['A hill?', END], 1000],
    ...['Look', failure('tooLarge'), failure('tooLarge')],
  ],
  'a server that is busy is asked again': ['hello', failure('failed', 1), 1000, ['Hi.', END], 1000],
  'a server is not asked again a minute later': ['hello', failure('failed', 61), 1000],
  'a recording without words is not sent': [VOICE],
  '`stop` ends the wait for more files once, and is a question a second later': [
    ...[file('a.txt', 'One'), 'cancel', 'stop', 999, 'stop', 1, 'stop', ['What?', END], 1000],
  ],
  '`again` and `continue` of a second window do nothing within a second': [
    ...['hello', ['Hi', cut], 1000, 'continue', 999, 'continue', 1, 'continue'],
    ...['again', 999, 'again', 1, 'again'],
  ],
  'a file that ends an answer waits for others, and its answer begins at once': [
    ...['hello', ['Hi'], 125, file('a.txt', 'One'), 3000, ['Read.', END], 1000],
  ],
  'the demonstration ends its answer before a model answers': [
    ...[demonstrate, 'stream', 600],
    ({ holder }) => holder.set(settings),
    ...['hello', ['Hi.', END], 1000],
  ],
  'the demonstration answers the second of two questions after a pause': [
    demonstrate,
    'one',
    300,
    'two',
    399,
    1,
  ],
  'the demonstration says nothing of a deleted account': [
    demonstrate,
    'stream',
    500,
    ({ live }) => live.close(),
    60_000,
  ],
  'the demonstration begins a new topic': [demonstrate, 'one', 400, 'New topic', 'new topic', 'stop', 400],
};

test('an assistant does what its settings say, and what it says depends on what has failed', async () => {
  const stories = await tell(
    Object.entries(STORIES).map(([title, steps]) => [title, steps, steps[0] === VOICE ? deaf : conversation]),
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
