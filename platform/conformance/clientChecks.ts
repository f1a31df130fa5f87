import { isDeepStrictEqual } from 'node:util';
import { type Conversation, toSnapshot } from '#shared/conversation/conversation.ts';
import type { ContentItem, Message } from '#shared/protocol/update.ts';
import { freshText } from './echoChecks.ts';
import { type ObservedSocket, describeClose } from './observedSocket.ts';
import {
  type Check,
  OK,
  type Outcome,
  type Subject,
  failed,
  findEcho,
  notTested,
  sendText,
} from './subject.ts';

/** Larger than every message of a client. */
const LARGE_FRAME = 3_000_000;

/** Frames that are no messages of a client (spec §2.3). */
const INVALID: readonly (string | Buffer)[] = [
  '{',
  'null',
  '[]',
  '5',
  '{}',
  '{"category":"text","text":5,"blob":null}',
  '{"category":{"a":1},"text":[],"blob":{}}',
  Buffer.from([0, 255, 128]),
];

/** The checks of several clients: of one account, of another account, and of one that sends what no client sends. */
export const clientChecks: readonly Check[] = [
  {
    id: 'two-clients',
    row: 'spec §1 item 3',
    checks: 'two clients of an account receive the same updates in the same order',
    run: compareClients,
  },
  {
    id: 'reconnect',
    row: 'spec §3.2 row 2',
    checks: 'the snapshot after a reconnect is the conversation that the updates gave',
    run: reconnect,
  },
  {
    id: 'isolation',
    row: 'spec §4.2',
    checks: 'a client of another account receives nothing of the conversation',
    run: watchOther,
  },
  {
    id: 'invalid-frames',
    row: 'spec §6.2',
    checks: 'frames that are no messages disturb no other client',
    run: (subject) => disturb(subject, INVALID),
  },
  {
    id: 'large-frame',
    row: 'spec §6.2',
    checks: 'a frame of 3 MB disturbs no other client',
    run: (subject) =>
      disturb(subject, [`{"category":"text","text":"${'a'.repeat(LARGE_FRAME)}","blob":null}`]),
  },
];

/** Sends a text from a client; resolves to whether both clients received it. */
async function shareText(from: ObservedSocket, clients: readonly ObservedSocket[]): Promise<string | null> {
  const text = freshText('for everyone');
  sendText(from, text);
  for (const client of clients) if (!(await client.until(() => findEcho(client, text) !== -1))) return null;
  return text;
}

/** Compares the updates of both clients from the first text on that both received. */
async function compareClients({ first, second }: Subject): Promise<Outcome> {
  const texts: (string | null)[] = [];
  for (const from of [first, second, first]) texts.push(await shareText(from, [first, second]));
  const [start] = texts;
  if (start === undefined || start === null || texts.includes(null))
    return failed('a text that only one of them received', 'every update on both');
  const [ones, others] = [first, second].map((client) => framesFrom(client, start));
  const length = Math.min(ones?.length ?? 0, others?.length ?? 0);
  return isDeepStrictEqual(ones?.slice(0, length), others?.slice(0, length))
    ? OK
    : failed('different updates, or another order', 'the same updates in the same order');
}

/** Returns the updates from the message with this text on. */
function framesFrom({ frames }: ObservedSocket, text: string): unknown[] {
  const start = frames.findIndex(
    ({ update }) => update.kind === 'message' && update.frame.content?.[0]?.text === text,
  );
  return frames.slice(start).map(({ update }) => update);
}

/** Compares the first snapshot of a new socket with what the updates gave another client before and while it arrived. */
async function reconnect({ first, open }: Subject): Promise<Outcome> {
  if ((await shareText(first, [first])) === null)
    return failed('no answer to a text', 'its message of `client`');
  const from = first.frames.length - 1;
  const client = await open();
  const [snapshot] = client.frames;
  client.terminate();
  if (snapshot?.update.kind !== 'snapshot') return failed('no snapshot', 'a snapshot on each new socket');
  const after = visibleOf(snapshot.conversation);
  const isAsReceived = () =>
    first.frames.slice(from).some(({ conversation }) => isDeepStrictEqual(visibleOf(conversation), after));
  return (await first.until(isAsReceived))
    ? OK
    : failed('another conversation', 'the same person, messages and content items');
}

const visibleItem = ({ category = '', text, html, blob }: ContentItem) => [
  category,
  text ?? '',
  html ?? '',
  blob ?? '',
];

/** Returns what a client shows of a conversation: a missing field is the same as an empty one (contract §5). */
function visibleOf(conversation: Conversation): unknown {
  const { person, messages } = toSnapshot(conversation);
  return [person, messages.map(visibleMessage)];
}

const visibleMessage = ({ id = '', modifier = '', context = '', avatar = '', content = [] }: Message) => [
  [id, modifier, context, avatar],
  content.map(visibleItem),
];

async function watchOther({ first, openOther }: Subject): Promise<Outcome> {
  const other = await openOther();
  if (other === null) return notTested('it needs a second registration, which was refused or not tried');
  const text = await shareText(first, [first]);
  if ((await shareText(other, [other])) === null || text === null)
    return failed('no answer to a text', 'its message of `client`');
  return findEcho(other, text) === -1
    ? OK
    : failed('a text of the other account', 'the updates of its own account only');
}

/** Sends frames on a socket of its own; then a text must still reach the other clients. */
async function disturb(
  { first, second, open }: Subject,
  frames: readonly (string | Buffer)[],
): Promise<Outcome> {
  const disturbing = await open();
  for (const frame of frames) disturbing.send(frame);
  await disturbing.ping();
  const text = await shareText(second, [first, second]);
  disturbing.terminate();
  const close = first.closed() ?? second.closed();
  if (close !== null) return failed(`of another client: ${describeClose(close)}`, 'the other clients stay');
  return text === null ? failed('a later text is not returned', 'messages as before') : OK;
}
