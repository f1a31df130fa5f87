import { DENIED, MICROPHONE_BUSY, NEEDS_RELOAD, NO_MICROPHONE } from './words.ts';

/** Why the microphone could not be opened, in a sentence that says what to do. */
export function whyNoMicrophone(error: unknown, mayAsk: boolean): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') return mayAsk ? DENIED : NEEDS_RELOAD;
  // `OverconstrainedError` is no `DOMException` in every browser, and we constrain nothing.
  return name === 'NotFoundError' ? NO_MICROPHONE : MICROPHONE_BUSY;
}

/**
 * Whether the page's policy lets it ask for the microphone at all. It came with the document: of a web host whose voice
 * was off then, it does not.
 */
export function mayAskForMicrophone(): boolean {
  const policy: unknown = Reflect.get(document, 'featurePolicy');
  if (typeof policy !== 'object' || policy === null) return true;
  const allows: unknown = Reflect.get(policy, 'allowsFeature');
  return typeof allows !== 'function' || Reflect.apply(allows, policy, ['microphone']) !== false;
}
