import { z } from 'zod';
import { type Holder, readHolder } from '#node/folderLock.ts';

/** The path to which a second process sends its request. */
export const SECOND_INSTANCE_PATH = '/-/second-instance';

/** The request of the second process: the arguments of Electron's `second-instance`. */
export const secondInstanceSchema = z.object({ argv: z.array(z.string()), workingDirectory: z.string() });
/** The request of the second process. */
export type SecondInstance = z.infer<typeof secondInstanceSchema>;

/** The response of the first process: an address with a token, and the redirect page when a browser is to be opened. */
const handOverAnswerSchema = z.object({ ready: z.string(), open: z.string().nullable() });
/** The response of the first process. */
export type HandOverAnswer = z.infer<typeof handOverAnswerSchema>;

/** The first process cannot take over. `message` is one line that says what to do. */
export class HandOverError extends Error {
  override readonly name = 'HandOverError';
}

const LIMITS = { tries: 100, everyMs: 50, answerMs: 5000 };

/**
 * Hands this start over to the process that holds the lock.
 * @param pause waits for a number of milliseconds.
 * @throws {HandOverError} when no process holds the lock any more, or it does not respond.
 */
export async function handOver(
  file: string,
  start: SecondInstance,
  pause: (ms: number) => Promise<void>,
): Promise<HandOverAnswer> {
  const { secret, port } = await listeningHolder(file, pause);
  try {
    const response = await fetch(`http://127.0.0.1:${port}${SECOND_INSTANCE_PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(start),
      signal: AbortSignal.timeout(LIMITS.answerMs),
    });
    return handOverAnswerSchema.parse(await response.json());
  } catch (cause) {
    throw new HandOverError(
      `Another Parley runs but does not answer. Stop it, or remove ${file} if none runs; then start again`,
      {
        cause,
      },
    );
  }
}

/** Waits at most 5 s for the first process to listen: it may be starting itself. */
async function listeningHolder(file: string, pause: (ms: number) => Promise<void>): Promise<Holder> {
  for (let tries = 0; tries < LIMITS.tries; tries += 1) {
    const holder = readHolder(file);
    if (holder === null) break;
    if (holder.port !== null) return holder;
    await pause(LIMITS.everyMs);
  }
  throw new HandOverError('Another Parley was starting but is not ready yet; start Parley again');
}
