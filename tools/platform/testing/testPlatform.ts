import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Credentials } from '#shared/protocol/credentials.ts';
import { type VirtualClock, virtualClock } from '#shared/time/virtualClock.ts';
import { PLATFORM_FILE, type RunningPlatform, type StartOptions, startPlatform } from '../startPlatform.ts';
import { type Client, connect } from './connect.ts';
import { recordingLogger } from './recordingLogger.ts';
import { postAuth } from './request.ts';

export const ADA = { email: 'ada@example.org', password: 'engine1843!', name: 'Ada Lovelace' } as const;

/** A folder of the test's own, gone when it ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-platform-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface TestPlatform extends RunningPlatform {
  readonly clock: VirtualClock;
  readonly dataFile: string;
  /** All that was logged so far. */
  logged(): string;
  /** Registers Ada, or somebody else, and returns the account. */
  register(somebody?: Partial<Credentials>): Promise<string>;
  connect(account: string): Promise<Client>;
}

/** A platform on a port of its own, on a clock that the test turns; ended with the test. */
export async function testPlatform(
  dataFile?: string,
  options: Pick<StartOptions, 'ownerSecret'> = {},
): Promise<TestPlatform> {
  const path = dataFile ?? join(await temporaryFolder(), PLATFORM_FILE);
  const clock = virtualClock();
  const { logger, logged } = recordingLogger();
  const running = await startPlatform({ dataFile: path, port: 0, logger, clock, ...options });
  onTestFinished(() => running.close());
  return {
    ...running,
    clock,
    dataFile: path,
    logged,
    register: async (somebody) => (await postAuth(running.apiUrl, { ...ADA, ...somebody })).body,
    connect: (account) => connect(running.platformUrl, account),
  };
}
