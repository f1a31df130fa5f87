import { Readable } from 'node:stream';
import { AxiosError, CanceledError, type InternalAxiosRequestConfig } from 'axios';
import type { Party } from '../world/world.ts';

const DONE = ['done', 'done', 'done', 'done'] as const;
/** How an answer of the simulated model ends. */
const ENDS = [...DONE, 'cut', 'length', 'silent', 'error', 'refused', 'damaged'] as const;
const WORDS =
  'An answer of a model has **several** words, `code`, and a list:\n\n- one\n- two\n\n```\nend\n```\n'.split(
    /(?<= )/u,
  );

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** How a service outside of the machine answers: after at most this time, milliseconds, unless it refuses the connection. */
export interface Service {
  readonly slowest: number;
  /** The probability of a refusal, and that of no answer at all. */
  readonly refusals: number;
  readonly silence: number;
}

/** Waits until a service answers. Rejects when the caller gives up, or the service refuses the connection. */
export async function reachService(
  config: InternalAxiosRequestConfig,
  { random, schedule }: Pick<Party, 'random' | 'schedule'>,
  { slowest, refusals, silence }: Service,
): Promise<void> {
  const isUnanswered = random.chance(silence);
  await new Promise<void>((resolve) => {
    config.signal?.addEventListener?.('abort', () => resolve());
    if (!isUnanswered) schedule(random.between(5, slowest), resolve);
  });
  if (config.signal?.aborted === true) throw new CanceledError(undefined, config);
  if (random.chance(refusals)) throw new AxiosError('ECONNREFUSED', 'ECONNREFUSED', config, {});
}

/**
 * Answers a request of the platform to the endpoint of its assistant, as an OpenAI-compatible server does: models, and answers that stream and end in every way: whole, cut
 * off, at the limit of their length, silent until the platform gives up, with an error, refused, or damaged.
 */
export async function answerAsEndpoint(config: InternalAxiosRequestConfig, party: Party): Promise<unknown> {
  const { random } = party;
  const path = new URL(config.url ?? '').pathname;
  const stream = new Readable({ read: () => undefined });
  stream.on('error', () => undefined);
  const response = (status: number) => ({
    data: stream,
    status,
    statusText: '',
    headers: {},
    config,
    request: {},
  });
  const send = (text: string | null) => {
    if (!stream.destroyed) stream.push(text);
  };
  config.signal?.addEventListener?.('abort', () => stream.destroy(new CanceledError(undefined, config)));
  await reachService(config, party, { slowest: 400, refusals: 0.1, silence: 0.05 });
  if (path.endsWith('/models')) {
    send(JSON.stringify({ data: [{ id: 'small' }, { id: 'large' }] }));
    send(null);
    return response(200);
  }
  const end = random.pick(ENDS);
  if (end === 'refused') {
    send(JSON.stringify({ error: { message: 'Too many requests.' } }));
    send(null);
    return response(random.pick([429, 401, 500]));
  }
  let at = 0;
  const words = 1 + random.below(40);
  const next = () => {
    if (at < words) {
      send(chunk({ content: WORDS[at++ % WORDS.length] }));
      party.schedule(random.between(5, 150), next);
    } else finish();
  };
  const finish = () => {
    if (end === 'silent') return;
    if (end === 'cut') {
      stream.destroy(new Error('aborted'));
      return;
    }
    if (end === 'error') send('data: {"error":{"message":"The model failed."}}\n\n');
    else if (end === 'damaged') send('data: {"choices":\n\n');
    else {
      send(chunk({}, end === 'length' ? 'length' : 'stop'));
      send('data: [DONE]\n\n');
    }
    send(null);
  };
  next();
  return response(200);
}
