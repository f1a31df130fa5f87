import { loadAdapter } from '../adapter/loadAdapter.ts';
import { appCode } from '#shared/replay/code.ts';
import type { CaptureResult } from './captureResult.ts';
import { loadCode } from './loadCode.ts';
import { type VerifyOptions, verifyCapture } from './verifyCapture.ts';

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
