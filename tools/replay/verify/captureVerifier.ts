import { loadAdapter } from '../adapter/loadAdapter.ts';
import { type ReplayCode, appCode } from '#shared/replay/code.ts';
import type { CaptureResult } from './resultRecord.ts';
import { type VerifyOptions, verifyCapture } from './verifyCapture.ts';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { UsageError } from '../base/errors.ts';

/** How captures are verified: plain data, so that a worker can have it. */
export interface CaptureVerifierOptions {
  readonly update?: boolean;
  /** The bundle of another revision's code, whose results are expected; with `app`, of its adapter. */
  readonly base?: string;
  /** Compares this code with itself, without a golden: it finds what throws, or mutates a state. */
  readonly isAlone?: boolean;
  /** The bundle of the adapter of another app. */
  readonly app?: string;
  /** Captures of one run of the program, in their order; by default, their names tell which of them follow each other. */
  readonly inOrder?: readonly string[] | undefined;
}

/** Returns a function that verifies one capture. */
export async function captureVerifier({
  update = false,
  base,
  app,
  inOrder = [],
  isAlone = false,
}: CaptureVerifierOptions): Promise<(capture: string) => Promise<CaptureResult>> {
  const options = await (app === undefined
    ? parleyOptions({ update, isAlone, ...(base !== undefined && { base }) })
    : appOptions(app, { update, isAlone, ...(base !== undefined && { base }) }));
  return (capture) => {
    const before = inOrder.slice(0, Math.max(inOrder.indexOf(capture), 0));
    return verifyCapture(capture, { ...options, ...(before.length > 0 && { before }) });
  };
}

async function parleyOptions({ update, base, isAlone }: CaptureVerifierOptions): Promise<VerifyOptions> {
  if (isAlone === true) return { base: appCode };
  if (base !== undefined) return { base: await loadCode(base) };
  return update === undefined ? {} : { update };
}

async function appOptions(
  file: string,
  { update, base, isAlone }: CaptureVerifierOptions,
): Promise<VerifyOptions> {
  const app = await loadAdapter(file);
  const other = base === undefined ? undefined : await loadAdapter(base);
  const appBase = isAlone === true ? app : other;
  return { app, ...(update !== undefined && { update }), ...(appBase && { appBase }) };
}

/** The part that older revisions do not have: then this checkout's is used. */
const { reduceActs, ...needed } = appCode;

const codeSchema = z.looseObject(
  Object.fromEntries(
    Object.entries(needed).map(([name, part]) => [name, z.custom((value) => typeof value === typeof part)]),
  ),
);
const moduleSchema = z.looseObject({ appCode: codeSchema });

/**
 * Loads another revision's code from its bundle.
 * @param revision the revision as the user wrote it, for errors.
 * @throws {UsageError} when a part that a replay needs is missing.
 */
export async function loadCode(file: string, revision = file): Promise<ReplayCode> {
  const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const checked = moduleSchema.safeParse(loaded);
  if (!checked.success) {
    const lacking = checked.error.issues.map(({ path }) => path.at(-1)).join(', ');
    throw new UsageError(`--base ${revision}: that revision has no ${lacking}, which a replay needs`);
  }
  // Only the types can be checked here. The replay of each capture shows what the functions do.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { reduceActs, ...checked.data.appCode } as unknown as ReplayCode;
}
