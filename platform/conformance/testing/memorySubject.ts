import { type VirtualClock, virtualClock } from '#shared/clock.ts';
import { applyUpdate, hasTarget } from '#shared/conversation/applyUpdate.ts';
import { emptyConversation } from '#shared/conversation/conversation.ts';
import { tryParseJson } from '#shared/json.ts';
import { outgoingSchema } from '#shared/protocol/outgoing.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import type { LiveConversation } from '../../accounts/liveConversation.ts';
import { answeringConversation, manualEndpoint } from '../../accounts/testing/answeringConversation.ts';
import type { ObservedFrame, ObservedSocket } from '../observedSocket.ts';
import { type Subject, accountOf, isAccepted } from '../subject.ts';
import { type Fault, type FaultyConnection, type SignInAnswer, objectOf } from './faults.ts';

const TIMEOUT_MS = 1500;
const ADA = { email: 'ada@example.org', password: 'engine1843!', name: 'Ada Lovelace' };

/** A platform in memory, which makes one fault. */
interface Platform {
  readonly fault: Fault;
  readonly clock: VirtualClock;
  readonly all: FaultyConnection[];
  readonly conversations: Map<string, LiveConversation>;
}

function rightAnswer({ clock, conversations }: Platform, body: string): SignInAnswer {
  const { email, password, name } = objectOf(body);
  if (typeof email !== 'string') return { status: 400, body: 'An email is needed.' };
  const isKnown = conversations.has(email);
  if (typeof name !== 'string' || name === '') {
    const isRight = isKnown && password === ADA.password;
    return isRight ? { status: 200, body: email } : { status: 401, body: 'Wrong.' };
  }
  if (isKnown) return { status: 409, body: 'Taken.' };
  const { live, holder } = answeringConversation(manualEndpoint(), [], { clock });
  // The demonstration answers.
  holder.set(null);
  conversations.set(email, live);
  return { status: 200, body: email };
}

function connect({ fault, clock, all, conversations }: Platform, account: string): ObservedSocket {
  const { pongMs = 1 } = fault;
  const frames: ObservedFrame[] = [];
  // A platform may give each sign-in an identifier of its own.
  const live = conversations.get(account.replace(/~.*/, ''));
  let close: ReturnType<ObservedSocket['closed']> = null;
  let hasEnded = false;
  let remove: (() => void) | undefined;
  const closed = () => close;
  const end = (code: number, reason: string) => {
    if (close !== null) return;
    close = { code, reason, error: null };
    remove?.();
    fault.onClose?.(connection, all);
  };
  const send = (text: string) => {
    if (close !== null) return;
    const before = frames.at(-1)?.conversation ?? emptyConversation;
    const update = decodeUpdate(text);
    const isUpdate = update.kind !== 'rejected';
    const isIgnored = isUpdate && !hasTarget(before, update);
    const conversation = isUpdate && !isIgnored ? applyUpdate(before, update) : before;
    frames.push({ at: clock.now(), update, isIgnored, conversation });
  };
  const connection = { number: all.length, account, send, close: end, after: clock.after };
  all.push(connection);
  const change = (frame: string) => (fault.toClient?.(frame, connection, all) ?? [frame]).forEach(send);
  remove = live?.addSocket({ send: change, close: end, terminate: () => end(1006, '') });
  if (live === undefined) end(4401, fault.closeReason?.('unauthorized') ?? 'unauthorized');
  const receive = (text: string) => {
    const outgoing = outgoingSchema.safeParse(tryParseJson(text));
    if (outgoing.success) live?.receive(outgoing.data);
  };
  return {
    frames,
    closed,
    hasEnded: () => hasEnded,
    async until(condition) {
      for (let ms = 0; ms < TIMEOUT_MS && closed() === null && !condition(); ms += 25) clock.advance(25);
      return condition();
    },
    send: (data) => (fault.toPlatform?.(String(data), connection, all) ?? [String(data)]).forEach(receive),
    ping: async () => (close === null ? pongMs : null),
    async end() {
      hasEnded = true;
      if (fault.keepsOpen !== true) end(1000, 'logout');
      return closed() !== null;
    },
    terminate() {
      hasEnded = true;
      end(1006, '');
    },
  };
}

/** Creates a platform in memory that makes one fault, with an account and two clients of it. Its time passes while a check waits. */
export async function memorySubject(fault: Fault): Promise<Subject> {
  const clock = virtualClock();
  const sockets: ObservedSocket[] = [];
  const platform: Platform = { fault, clock, all: [], conversations: new Map() };
  const post = async (fields: unknown): Promise<SignInAnswer> => {
    const body = typeof fields === 'string' ? fields : JSON.stringify(fields);
    const right = rightAnswer(platform, body);
    return fault.signIn?.(body, right) ?? right;
  };
  const account = accountOf(await post(ADA));
  const open = async (to = account) => {
    const socket = connect(platform, to);
    sockets.push(socket);
    await socket.until(() => socket.frames.length > 0);
    return socket;
  };
  const [first, second] = [await open(), await open()];
  return {
    apiUrl: '',
    platformUrl: '',
    // A pause ends at once: nothing else happens meanwhile.
    clock: { now: clock.now, after: (ms, task) => (clock.advance(ms), task(), () => undefined) },
    timeoutMs: TIMEOUT_MS,
    quietMs: 500,
    say: [],
    credentials: { ...ADA, name: '' },
    registeredName: ADA.name,
    account,
    first,
    second,
    sockets,
    post,
    async openOther() {
      const answer = await post({ ...ADA, email: 'other@example.org' });
      return isAccepted(answer) ? connect(platform, accountOf(answer)) : null;
    },
    open,
  };
}
