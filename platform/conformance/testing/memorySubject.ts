import { virtualClock } from '#shared/clock.ts';
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

/** Creates a platform in memory that makes one fault, with an account and two clients of it. Its time passes while a check waits. */
export async function memorySubject(fault: Fault): Promise<Subject> {
  const clock = virtualClock();
  const all: FaultyConnection[] = [];
  const sockets: ObservedSocket[] = [];
  const conversations = new Map<string, LiveConversation>();
  const { pongMs = 1 } = fault;

  function rightAnswer(body: string): SignInAnswer {
    const { email, password, name } = objectOf(body);
    if (typeof email !== 'string') return { status: 400, body: 'An email is needed.' };
    if (typeof name !== 'string' || name === '')
      return conversations.has(email) && password === ADA.password
        ? { status: 200, body: email }
        : { status: 401, body: 'Wrong.' };
    if (conversations.has(email)) return { status: 409, body: 'Taken.' };
    const { live, holder } = answeringConversation(manualEndpoint(), [], { clock });
    // The demonstration answers.
    holder.set(null);
    conversations.set(email, live);
    return { status: 200, body: email };
  }

  async function post(fields: unknown): Promise<SignInAnswer> {
    const body = typeof fields === 'string' ? fields : JSON.stringify(fields);
    const right = rightAnswer(body);
    return fault.signIn?.(body, right) ?? right;
  }

  function connect(account: string): ObservedSocket {
    const frames: ObservedFrame[] = [];
    // A platform may give each sign-in an identifier of its own.
    const live = conversations.get(account.replace(/~.*/, ''));
    let close: ReturnType<ObservedSocket['closed']> = null;
    let hasEnded = false;
    let remove: (() => void) | undefined;
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
    const until = async (condition: () => boolean) => {
      for (let ms = 0; ms < TIMEOUT_MS && close === null && !condition(); ms += 25) clock.advance(25);
      return condition();
    };
    return {
      frames,
      closed: () => close,
      hasEnded: () => hasEnded,
      until,
      send: (data) => (fault.toPlatform?.(String(data), connection, all) ?? [String(data)]).forEach(receive),
      ping: async () => (close !== null ? null : pongMs),
      async end() {
        hasEnded = true;
        if (fault.keepsOpen !== true) end(1000, 'logout');
        return close !== null;
      },
      terminate() {
        hasEnded = true;
        end(1006, '');
      },
    };
  }

  const open = async (to: string) => {
    const socket = connect(to);
    sockets.push(socket);
    await socket.until(() => socket.frames.length > 0);
    return socket;
  };
  const account = accountOf(await post(ADA));
  const [first, second] = [await open(account), await open(account)];
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
      return isAccepted(answer) ? connect(accountOf(answer)) : null;
    },
    open: (to = account) => open(to),
  };
}
