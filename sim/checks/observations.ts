import { isDeepStrictEqual } from 'node:util';
import { ACTIONS } from '#shared/actions/actionTable.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { FILE_BYTES, OUTGOING_BYTES, QUEUE_BYTES, SIGN_IN_TIMEOUT_MS } from '#shared/limits.ts';
import type { MainState } from '#main/store/mainStore.ts';
import {
  type Machine,
  type MachineObserver,
  type MainRun,
  OWNER_SECRET,
  type PlatformRun,
} from '../machine/machine.ts';
import type { WebContents } from '../machine/webContents.ts';
import { HOST_TOKEN } from '../network/hostUsers.ts';
import type { Connection } from '../network/network.ts';
import type { HttpResponse } from '../network/server.ts';
import { OPEN, type SimSocket } from '../network/sockets.ts';
import { ENDPOINT_KEY, IDENTITIES } from '../world/identities.ts';
import type { World } from '../world/world.ts';
import { type Folded, apply, foldFrames } from './foldFrames.ts';
import { AcknowledgedMessages } from './acknowledged.ts';
import { CaptureCheck } from './captureCheck.ts';
import { AccountCheck } from './accounts.ts';
import { Times } from './times.ts';

/** The log messages of errors that nothing expected. */
const UNEXPECTED =
  /is corrupt|an error in a listener|an unexpected error|a message to the windows could not be sent|^(?!.*"(?:EROFS|ENOSPC|ENOENT)").*a request failed/u;

/** The longest timeout of a request, and the longest sleep of the machine. */
const LONGEST_REQUEST_MS = SIGN_IN_TIMEOUT_MS + 30_000;
/** More timers and messages of a program than this are a leak. */
const MOST_WAITING = 500;

/** The frames that main has accepted since the launch of its session. */
interface Session {
  readonly clients: Set<SimSocket>;
  readonly frames: string[];
  /** The number of frames that are not updates. */
  rejected: number;
  /** The fold of the first `folded` of them. */
  fold: Folded;
  folded: number;
}

const newSession = (): Session => ({
  clients: new Set(),
  frames: [],
  rejected: 0,
  fold: { person: null, messages: [] },
  folded: 0,
});

/** Sees everything that the programs do, and checks it. */
export class Observations implements MachineObserver {
  machine: Machine | undefined;
  /** Texts that no capture, log, state or error may contain. */
  readonly secrets = new Set<string>([
    OWNER_SECRET,
    ENDPOINT_KEY,
    HOST_TOKEN,
    ...IDENTITIES.map(({ password }) => password),
  ]);
  readonly capture: CaptureCheck;
  readonly acknowledged: AcknowledgedMessages;
  readonly times: Times;
  readonly accounts: AccountCheck;
  /** The messages that people requested, and those that main has sent, since main started. */
  #messages = { requested: 0, sent: 0 };
  /** Whether the platform has closed the newest session as unauthorized. */
  #isUnauthorized = false;
  readonly logs: string[] = [];
  #session: Session | undefined;
  #run: MainRun | undefined;

  constructor(private readonly world: World) {
    this.capture = new CaptureCheck(world);
    this.acknowledged = new AcknowledgedMessages(world);
    this.times = new Times(world);
    this.accounts = new AccountCheck(world);
  }

  mainStarted(run: MainRun): void {
    this.world.note('main starts');
    this.#run = run;
    this.#session = undefined;
    this.#isUnauthorized = false;
    this.#messages = { requested: 0, sent: 0 };
    this.times.reset();
    run.party.onEnd(() => {
      this.world.note('main ends');
      this.times.reset();
      this.capture.killed();
      this.accounts.ended();
    });
  }

  reduced(
    _run: MainRun,
    action: { readonly type: string; readonly payload?: unknown },
    state: unknown,
  ): void {
    this.#count(action.type);
    // The state of main's store.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const main = state as MainState;
    this.accounts.reduced(action.type, main);
    if (action.type === 'message/requested') this.#messages.requested++;
    if (action.type === 'account/signedOut') this.#isUnauthorized = false;
    if (action.type.startsWith('update/') && this.#session === undefined)
      this.world.fail(2, `${action.type} without a session`);
    if (action.type === 'session/launched') {
      this.#session = newSession();
      this.capture.launched();
    }
    if (action.type === 'session/ended') {
      this.#session = undefined;
      this.capture.ended();
    }
    this.times.reduced(action, main);
  }

  windowReduced(_contents: WebContents, action: { readonly type: string }): void {
    this.#count(action.type);
  }

  platformStarted(run: PlatformRun): void {
    this.world.note('platform starts');
    this.acknowledged.restarted();
    run.party.onEnd(() => this.world.note('platform ends'));
  }

  logged(program: string, line: string): void {
    this.logs.push(line);
    this.world.note(`${program}: ${line.trimEnd()}`);
    if (UNEXPECTED.test(line)) this.world.fail(5, `${program} logged an unexpected error: ${line.trimEnd()}`);
  }

  connecting(client: SimSocket): void {
    this.world.note('main connects');
    this.#session?.clients.add(client);
    this.times.connecting();
    client.onFrame = (direction, kind, data) => {
      if (kind === 'ping' && direction === 'sent') this.times.pinged();
      if (kind !== 'text') return;
      this.world.note(`main ${direction === 'sent' ? '▶' : '◀'} ${data.slice(0, 120)}`);
      if (direction === 'sent') this.#sent();
      else if (this.#session?.clients.has(client) === true) keepFrame(this.#session, data);
    };
  }

  connected({ server, client }: Connection, account: string): void {
    client.once('open', () => this.times.opened());
    if (server !== undefined) this.acknowledged.follow(server, account);
  }

  clientClosed(client: SimSocket, code: number, reason: string): void {
    this.world.note(`main’s socket closed ${code} ${reason}`);
    if (this.#session?.clients.has(client) !== true) return;
    this.times.closed(reason);
    if (reason === 'unauthorized') this.#isUnauthorized = true;
  }

  requested(method: string, path: string): void {
    this.world.note(`${method} ${path}`);
    if (path === '/auth') this.times.authCalled();
    if (method === 'DELETE') this.acknowledged.deleted();
  }

  authenticated({ status, body }: HttpResponse, form: string): void {
    this.times.authAnswered(status);
    if (status !== 200) return;
    this.secrets.add(body);
    const { email }: { readonly email: string } = JSON.parse(form);
    // A user of the machine gets a new identifier each time, for the same account.
    this.acknowledged.accountOf.set(body, email);
  }

  /** Returns main's state; `undefined` while it does not run. */
  mainState(): MainState | undefined {
    if (this.#run?.party.isAlive !== true || this.#run.store === undefined) return undefined;
    // Main's store.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.#run.store.getState() as MainState;
  }

  /** Main has sent a message: each one that a person requested, at most once. */
  #sent(): void {
    const { requested, sent } = this.#messages;
    this.#messages = { requested, sent: sent + 1 };
    if (sent + 1 > requested)
      this.world.fail(4, `main sent ${sent + 1} messages, and ${requested} were requested`);
  }

  /**
   * Check 5: nothing is left over: one connection of a session, and none without; an account that the platform refused is signed out; after the last fault, no connection of a
   * user of the machine whose sessions have ended.
   */
  checkRest(isCalm: boolean): void {
    const state = this.mainState();
    if (state === undefined) return;
    const { party } = this.#run ?? {};
    const open = [...(this.machine?.network.connections ?? [])].filter(
      ({ client }) => client.party === party && client.readyState <= OPEN,
    );
    const most = this.#session === undefined ? 0 : 1;
    if (open.length > most) this.world.fail(5, `${open.length} connections are open, of ${most} session`);
    if (this.#isUnauthorized && state.account.id !== null)
      this.world.fail(5, 'the platform closed as unauthorized, and main is still signed in');
    if (this.#session !== undefined && state.account.id === null)
      this.world.fail(5, 'a session runs, and no account is signed in');
    const user = this.acknowledged.accountOf.get(state.account.id ?? '');
    if (
      isCalm &&
      open.length > 0 &&
      user !== undefined &&
      this.machine?.hostUsers?.hasSession(user) === false
    )
      this.world.fail(5, `the sessions of ${user} have ended, and a connection is open`);
  }

  /** Check 5: queues and buffers stay within their limits, and no request waits for ever. */
  checkLimits(): void {
    const { queue } = this.mainState() ?? {};
    if ((queue?.bytes ?? 0) > QUEUE_BYTES) this.world.fail(5, `${queue?.bytes} bytes of updates wait`);
    const { connections, pending } = this.machine?.network ?? {};
    for (const { client, server } of connections ?? [])
      for (const { bufferedAmount } of [client, server ?? client])
        if (bufferedAmount > OUTGOING_BYTES + 2 * FILE_BYTES)
          this.world.fail(5, `${bufferedAmount} bytes wait on a socket`);
    for (const { path, party, at } of pending?.values() ?? [])
      if (party.isAlive && party.busyUntil < this.world.now() && at < this.world.now() - LONGEST_REQUEST_MS)
        this.world.fail(5, `a request to ${path} has waited since ${Math.round(at)} ms`);
    for (const { party } of [this.machine?.main, this.machine?.platform].filter((run) => run !== undefined))
      if (party.isAlive && party.waiting > MOST_WAITING)
        this.world.fail(5, `${party.waiting} timers and messages of ${party.name} wait`);
  }

  /** Check 2: the conversation is the fold of the accepted frames. */
  checkFold(): void {
    const state = this.mainState();
    const session = this.#session;
    if (state === undefined || session === undefined) return;
    const { counts, queue, conversation } = state;
    const released = counts.applied + counts.ignored;
    if (released + queue.length !== session.frames.length || sum(counts.rejected) !== session.rejected)
      return this.world.fail(
        2,
        `${session.frames.length} frames came, ${released} were released and ${queue.length} wait`,
      );
    for (; session.folded < released; session.folded++)
      apply(session.fold, objectOf(session.frames[session.folded]));
    const { person, messages } = toSnapshot(conversation);
    const [shown, folded] = [JSON.stringify({ person, messages }), JSON.stringify(session.fold)];
    if (shown !== folded && !isDeepStrictEqual(JSON.parse(shown), JSON.parse(folded)))
      this.world.fail(2, `the conversation is not the fold of the ${released} released frames`);
    return undefined;
  }

  #count(type: string): void {
    // Redux's own actions have random names.
    if (!type.startsWith('@@')) this.world.trace(type);
    if (!Object.hasOwn(ACTIONS, type)) return;
    const { coverage } = this.world;
    coverage.set(type, (coverage.get(type) ?? 0) + 1);
  }
}

const objectOf = (text: string | undefined): Record<string, unknown> => {
  const { person, messages } = foldFrames([]);
  return text === undefined ? { person, messages } : JSON.parse(text);
};

function keepFrame(session: Session, data: string): void {
  if (foldFrames([data]).rejected === 0) session.frames.push(data);
  else session.rejected++;
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);
