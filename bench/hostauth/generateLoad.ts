import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { z } from 'zod';

const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon');

/** The part of autocannon's result that is used. */
const resultSchema = z.object({
  duration: z.number().positive(),
  errors: z.literal(0),
  non2xx: z.literal(0),
  '2xx': z.number().positive(),
  latency: z.object({ p99: z.number() }),
});

/** The options of `generateLoad`. */
interface LoadOptions {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
}

/** The load that the service handled. */
export interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/**
 * Sends requests to an address as fast as they are answered. Runs in its own process, because autocannon's results are
 * complete only in the main thread of a process.
 * @throws {Error} when an answer is not a success.
 */
export async function generateLoad({ url, token, connections, seconds }: LoadOptions): Promise<Load> {
  const options = ['--json', '-c', String(connections), '-d', String(seconds)];
  const { stdout } = await promisify(execFile)(process.execPath, [
    AUTOCANNON,
    ...options,
    '-H',
    `authorization=Bearer ${token}`,
    url,
  ]);
  const { duration, latency, ...result } = resultSchema.parse(JSON.parse(stdout));
  return { perSecond: result['2xx'] / duration, p99: latency.p99 };
}
