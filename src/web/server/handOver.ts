import { z } from 'zod';
import { type Holder, holderOf } from '#files/folderLock.ts';

/** Where a second process knocks. */
export const SECOND_INSTANCE_PATH = '/-/second-instance';

/** What the second process tells the first: the arguments of Electron's `second-instance`. */
export const arrivalSchema = z.object({ argv: z.array(z.string()), workingDirectory: z.string() });
export type Arrival = z.infer<typeof arrivalSchema>;

/** What the first returns: an address that lets a browser in, and the redirect page for one that is to be opened, if any. */
export const welcomeSchema = z.object({ ready: z.string(), open: z.string().nullable() });
export type Welcome = z.infer<typeof welcomeSchema>;

/** The first instance cannot take over. `message` is one line that says what to do. */
export class HandOverError extends Error {
  override readonly name = 'HandOverError';
}

const PATIENCE = { tries: 100, everyMs: 50, answerMs: 5000 };

/**
 * Hands this process's start over to the instance that holds the lock.
 * @param pause waits that many milliseconds.
 * @throws {HandOverError} when there is none any more, or it does not answer.
 */
export async function handOver(
  file: string,
  arrival: Arrival,
  pause: (ms: number) => Promise<void>,
): Promise<Welcome> {
  const { secret, port } = await listeningHolder(file, pause);
  try {
    const response = await fetch(`http://127.0.0.1:${port}${SECOND_INSTANCE_PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(arrival),
      signal: AbortSignal.timeout(PATIENCE.answerMs),
    });
    return welcomeSchema.parse(await response.json());
  } catch (cause) {
    throw new HandOverError(`Parley runs already but does not answer. If it does not, remove ${file}`, {
      cause,
    });
  }
}

/** The first instance may itself be starting: it is given five seconds to listen. */
async function listeningHolder(file: string, pause: (ms: number) => Promise<void>): Promise<Holder> {
  for (let tries = 0; tries < PATIENCE.tries; tries += 1) {
    const holder = holderOf(file);
    if (holder === null) break;
    if (holder.port !== null) return holder;
    await pause(PATIENCE.everyMs);
  }
  throw new HandOverError('Another Parley was starting and has not come up; start it again');
}
