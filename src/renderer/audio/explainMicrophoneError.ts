import { DENIED, MICROPHONE_BUSY, NEEDS_RELOAD, NO_MICROPHONE } from './audioTexts.ts';

/** Returns the message why the microphone could not be opened, and what to do. */
export function explainMicrophoneError(error: unknown, mayAsk: boolean): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') return mayAsk ? DENIED : NEEDS_RELOAD;
  // Not `OverconstrainedError`: it is not a `DOMException` in every browser, and Parley sets no constraints.
  return name === 'NotFoundError' ? NO_MICROPHONE : MICROPHONE_BUSY;
}

/**
 * Returns whether the page's permissions policy allows it to ask for the microphone. The policy was sent with the document: it forbids the
 * microphone when voice was off in the web host at that time.
 */
export function mayAskForMicrophone(): boolean {
  const policy: unknown = Reflect.get(document, 'featurePolicy');
  if (typeof policy !== 'object' || policy === null) return true;
  const allows: unknown = Reflect.get(policy, 'allowsFeature');
  return typeof allows !== 'function' || Reflect.apply(allows, policy, ['microphone']) !== false;
}
