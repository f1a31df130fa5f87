import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { z } from 'zod';

const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon');

/** What autocannon tells, as far as it is of use here. */
const resultSchema = z.object({
  duration: z.number().positive(),
  errors: z.literal(0),
  non2xx: z.literal(0),
  '2xx': z.number().positive(),
  latency: z.object({ p99: z.number() }),
});

export interface LoadOptions {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/**
 * Asks an address as fast as it is answered, from a process of its own: autocannon's results are whole only in a
 * process's main thread.
 * @throws when one of the answers is not a success.
 */
export async function load({ url, token, connections, seconds }: LoadOptions): Promise<Load> {
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
