import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import { type UpdateKind, DISCRIMINATORS } from '#shared/protocol/update.ts';

/** The end of an answer of a model, as the metrics need it. Times are in milliseconds. */
interface AnswerEnd {
  readonly outcome: string;
  readonly durationMs: number;
  /** `null`: there was no answer. */
  readonly firstTokenMs: number | null;
  readonly promptTokens: number | null;
  readonly answerTokens: number | null;
}

/** The metrics of `GET /metrics`, for Prometheus. They contain no identifiers, no addresses and no texts. */
export interface PlatformMetrics {
  readonly registry: Registry;
  socketOpened(): void;
  socketClosed(): void;
  messageReceived(category: Outgoing['category']): void;
  /** @param fault why the frame was ignored or refused: one of a few words of the code. */
  messageIgnored(fault: string): void;
  /** Counts a frame that is sent to one socket. */
  frameSent(frame: string): void;
  signedIn(): void;
  /** @param status of the response. */
  signInRefused(status: number): void;
  /** Adds the time of a group of changes, from its write until it is on the disk. */
  committed(ms: number): void;
  answered(answer: AnswerEnd): void;
  /** Shows the number of accounts. */
  showAccounts(count: () => number): void;
}

const PREFIX = 'parley_platform_';
/** Seconds. */
const COMMIT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const FIRST_TOKEN_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const ANSWER_BUCKETS = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Creates the metrics of one platform. */
export function createPlatformMetrics(): PlatformMetrics {
  const registry = new Registry();
  const connections = connectionMetrics(registry);
  const answers = answerMetrics(registry);
  const commits = histogram(registry, 'commit_seconds', 'Time to put changes on the disk', COMMIT_BUCKETS);
  return {
    registry,
    ...connections,
    ...answers,
    committed: (ms) => commits.observe(ms / 1000),
    showAccounts: (count) => showAccounts(registry, count),
  };
}

function connectionMetrics(registry: Registry) {
  const sockets = new Gauge({ name: `${PREFIX}sockets`, help: 'Open sockets', registers: [registry] });
  const received = counter(registry, 'messages_received_total', ['category']);
  const ignored = counter(registry, 'messages_ignored_total', ['fault']);
  const sent = counter(registry, 'updates_sent_total', ['kind']);
  const signIns = counter(registry, 'sign_ins_total', []);
  const refused = counter(registry, 'sign_ins_refused_total', ['reason']);
  return {
    socketOpened: () => sockets.inc(),
    socketClosed: () => sockets.dec(),
    messageReceived: (category: Outgoing['category']) => received.inc({ category }),
    messageIgnored: (fault: string) => ignored.inc({ fault }),
    frameSent: (frame: string) => sent.inc({ kind: frameKind(frame) }),
    signedIn: () => signIns.inc(),
    signInRefused: (status: number) => refused.inc({ reason: signInRefusal(status) }),
  };
}

function answerMetrics(registry: Registry) {
  const answers = counter(registry, 'answers_total', ['outcome']);
  const tokens = counter(registry, 'tokens_total', ['kind']);
  const first = histogram(
    registry,
    'answer_first_token_seconds',
    'Time from a question to the first part of its answer',
    FIRST_TOKEN_BUCKETS,
  );
  const whole = histogram(
    registry,
    'answer_seconds',
    'Time from a question to the end of its answer',
    ANSWER_BUCKETS,
  );
  return {
    answered({ outcome, durationMs, firstTokenMs, promptTokens, answerTokens }: AnswerEnd) {
      answers.inc({ outcome });
      whole.observe(durationMs / 1000);
      if (firstTokenMs !== null) first.observe(firstTokenMs / 1000);
      tokens.inc({ kind: 'prompt' }, promptTokens ?? 0);
      tokens.inc({ kind: 'answer' }, answerTokens ?? 0);
    },
  };
}

const HELP: Readonly<Record<string, string>> = {
  messages_received_total: 'Messages of clients',
  messages_ignored_total: 'Frames of clients that were ignored or refused',
  updates_sent_total: 'Frames sent to clients; kind message: messages',
  sign_ins_total: 'Sign-ins and registrations',
  sign_ins_refused_total: 'Refused sign-ins and registrations',
  answers_total: 'Answers of a model, by how they ended',
  tokens_total: 'Tokens of questions with their context, and of answers',
};

const counter = <Label extends string>(registry: Registry, name: string, labelNames: readonly Label[]) =>
  new Counter({ name: PREFIX + name, help: HELP[name] ?? name, labelNames, registers: [registry] });

/** @param buckets in seconds. */
const histogram = (registry: Registry, ...[name, help, buckets]: [string, string, number[]]) =>
  new Histogram({ name: PREFIX + name, help, buckets, registers: [registry] });

function showAccounts(registry: Registry, count: () => number): void {
  const gauge: Gauge = new Gauge({
    name: `${PREFIX}accounts`,
    help: 'Accounts',
    registers: [registry],
    collect: () => gauge.set(count()),
  });
}

/** By the first field of a frame of this platform, which is enough: the texts in it are not read. */
const KINDS = new Map<string, UpdateKind>([
  ...DISCRIMINATORS.map(([kind, field]) => [field, kind] as const),
  ['id', 'message'],
]);

const FIRST_FIELD = /^\{"(?<field>\w+)":/;

/** Returns the kind of a frame that this platform sends. */
export const frameKind = (frame: string): UpdateKind =>
  KINDS.get(FIRST_FIELD.exec(frame)?.groups?.field ?? '') ?? 'notification';

/** Why a sign-in was refused, as a label of the metrics. */
type SignInRefusal = 'form' | 'credentials' | 'forbidden' | 'taken' | 'limited' | 'unavailable' | 'other';

const REASONS: Readonly<Record<number, SignInRefusal>> = {
  400: 'form',
  422: 'form',
  401: 'credentials',
  403: 'forbidden',
  409: 'taken',
  429: 'limited',
  502: 'unavailable',
  503: 'unavailable',
};

/** Returns the reason for a status of `POST /auth`. */
const signInRefusal = (status: number): SignInRefusal => REASONS[status] ?? 'other';
