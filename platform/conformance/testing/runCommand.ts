import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { recordingLogger } from '../../testing/recordingLogger.ts';
import { PLATFORM_FILE, startPlatform } from '../../startPlatform.ts';
import { conformanceCommand } from '../conformanceCommand.ts';

/** Runs the command as the program does. */
export async function runCommand(
  argv: readonly string[],
  { isErrTerminal = false, signal = new AbortController().signal } = {},
) {
  const written = { out: '', err: '' };
  const status = await conformanceCommand(argv, {
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    isOutColored: false,
    isErrTerminal,
    clock: systemClock(globalThis),
    signal,
  });
  return { status, ...written };
}

/** Starts the built-in platform with a real clock; stops it with the test. */
export async function startBuiltIn() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-platform-'));
  const { logger } = recordingLogger();
  const dataFile = join(folder, PLATFORM_FILE);
  const { apiUrl, close } = await startPlatform({ dataFile, port: 0, logger, passwordCost: 1024 });
  onTestFinished(async () => {
    await close();
    await rm(folder, { recursive: true });
  });
  return apiUrl;
}
