import { clip } from '#shared/clip.ts';
import type { ObservedClose } from '../base/observedSocket.ts';

/** The most of a close's reason that is shown. */
const REASON_LENGTH = 60;

/** Describes how a socket ended; an upgrade that was refused is no close for the client. */
export function describeClose(close: ObservedClose | null): string {
  if (close === null) return 'the socket stays open';
  if (close.error !== null) return `the socket fails: ${close.error}`;
  const reason =
    close.reason === '' ? 'an empty reason' : `the reason “${clip(close.reason, REASON_LENGTH)}”`;
  return `a close with code ${close.code} and ${reason}`;
}
