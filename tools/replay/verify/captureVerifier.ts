import { replayedApp } from '../adapter/checkAdapter.ts';
import { loadAdapter } from '../adapter/loadAdapter.ts';
import type { OwnApp, Replayed } from '../engine/sessionAdapter.ts';
import { frozenAdapter } from './findCause.ts';
import type { CaptureResult } from './resultRecord.ts';
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
export async function captureVerifier(
  { update = false, inOrder = [], ...options }: CaptureVerifierOptions,
  own: OwnApp,
): Promise<(capture: string) => Promise<CaptureResult>> {
  const { replayed, base } =
    options.app === undefined ? await ownRevisions(options, own) : await appRevisions(options.app, options);
  const verified: VerifyOptions = { ...replayed, base, update: update && base === undefined };
  return (capture) => {
    const before = inOrder.slice(0, Math.max(inOrder.indexOf(capture), 0));
    return verifyCapture(capture, { ...verified, ...(before.length > 0 && { before }) });
  };
}

/** What is compared, and the revision that is expected. */
interface Revisions {
  readonly replayed: Replayed;
  readonly base: Replayed | undefined;
}

async function ownRevisions({ base, isAlone }: CaptureVerifierOptions, own: OwnApp): Promise<Revisions> {
  if (isAlone === true) return { replayed: own, base: own };
  return { replayed: own, base: base === undefined ? undefined : await own.loadRevision(base) };
}

async function appRevisions(file: string, { base, isAlone }: CaptureVerifierOptions): Promise<Revisions> {
  const replayed = replayedApp(await loadAdapter(file));
  const other = base === undefined ? undefined : replayedApp(await loadAdapter(base));
  const expected = isAlone === true ? replayed : other;
  return { replayed, base: expected && { ...expected, adapter: frozenAdapter(expected.adapter) } };
}
