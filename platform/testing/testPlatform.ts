import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Credentials } from '#shared/protocol/credentials.ts';
import { type VirtualClock, virtualClock } from '#shared/clock.ts';
import { PLATFORM_FILE, type RunningPlatform, type StartOptions, startPlatform } from '../startPlatform.ts';
import { type Client, connect } from './connect.ts';
import { recordingLogger } from './recordingLogger.ts';
import { postAuth } from './request.ts';

/** The credentials of an account of the tests. */
export const ADA = { email: 'ada@example.org', password: 'engine1843!', name: 'Ada Lovelace' } as const;

/** Creates a temporary folder; removes it at the end of the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-platform-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A running platform with a virtual clock. */
export interface TestPlatform extends RunningPlatform {
  readonly clock: VirtualClock;
  readonly dataFile: string;
  /** Returns the log so far. */
  logged(): string;
  /** Registers Ada, or the person with these fields; resolves with the account identifier. */
  register(fields?: Partial<Credentials>): Promise<string>;
  connect(account: string): Promise<Client>;
}

/** Starts a platform on any free port with a virtual clock, or the clock of the options; closes it at the end of the test. */
export async function testPlatform(
  dataFile?: string,
  options: Pick<
    StartOptions,
    'limits' | 'ownerSecret' | 'registration' | 'assistant' | 'host' | 'clock'
  > = {},
): Promise<TestPlatform> {
  const path = dataFile ?? join(await temporaryFolder(), PLATFORM_FILE);
  const clock = virtualClock();
  const { logger, logged } = recordingLogger();
  const running = await startPlatform({
    dataFile: path,
    port: 0,
    logger,
    clock,
    passwordCost: 1024,
    ...options,
  });
  onTestFinished(() => running.close());
  return {
    ...running,
    clock,
    dataFile: path,
    logged,
    register: async (fields) => (await postAuth(running.apiUrl, { ...ADA, ...fields })).body,
    connect: (account) => connect(running.platformUrl, account),
  };
}
