import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ElectronApplication, Page } from 'playwright-core';

/** The folder of the repository. The same from this file and from the bundle in `out/electronCheck`. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** A running messenger that is checked. */
export interface CheckedHost {
  /** `Electron` or `the web host`. */
  readonly name: string;
  readonly page: Page;
  /** Electron's main process; `null` in the web host. */
  readonly electron: ElectronApplication | null;
  close(): Promise<void>;
}

/** A check; `run` resolves to a detail of the result. @throws when it fails; the first line of the message is the detail. */
export type Check =
  /** Checks what a page does in both hosts. */
  | { readonly name: string; readonly run: (page: Page) => Promise<string> }
  /** Checks what only Electron's runtime can prove. */
  | {
      readonly name: string;
      readonly runInElectron: (electron: ElectronApplication, page: Page) => Promise<string>;
    };

/** A check that cannot be made here, for a reason that is not an error. */
export class NotRunError extends Error {
  override readonly name = 'NotRunError';
}

/** The result of a check. */
export interface CheckResult {
  readonly name: string;
  readonly result: 'ok' | 'failed' | 'not run';
  readonly detail: string;
}

/** How long one check may take, in milliseconds. */
const CHECK_MS = 20_000;

/** Runs the checks one after the other: each begins where the one before has left the window. */
export async function runChecks(checks: readonly Check[], host: CheckedHost): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await runCheck(check, host));
  return results;
}

async function runCheck(check: Check, { page, electron }: CheckedHost): Promise<CheckResult> {
  const { name } = check;
  if (!('run' in check) && electron === null)
    return { name, result: 'not run', detail: 'only Electron’s runtime can prove it' };
  try {
    const run = 'run' in check ? check.run(page) : electron && check.runInElectron(electron, page);
    return { name, result: 'ok', detail: String(await Promise.race([run, isLate()])) };
  } catch (error) {
    const [detail = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { name, result: error instanceof NotRunError ? 'not run' : 'failed', detail };
  }
}

const isLate = async (): Promise<never> => {
  await setTimeout(CHECK_MS, undefined, { ref: false });
  throw new Error(`took longer than ${CHECK_MS / 1000} s`);
};

/** Throws when a value is not as expected. */
export function expectValue(what: string, value: unknown, expected: unknown): void {
  const [found, wanted] = [value, expected].map((one) => JSON.stringify(one));
  if (found !== wanted) throw new Error(`${what} is ${found}, not ${wanted}`);
}
