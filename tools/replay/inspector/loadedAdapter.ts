import { isJsonObject } from '#shared/isJsonObject.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { stackOf } from '../adapter/stackOf.ts';
import { ADAPTER_SCOPE, appExports } from './protocol/appScripts.ts';
import { SessionError } from './model/trace/sessionError.ts';

/**
 * Returns the adapter of the script before this one; `undefined` for Parley. The command has checked the adapter.
 * @throws {SessionError} when the adapter threw in the browser.
 */
export function loadedAdapter(): AppAdapter | undefined {
  try {
    const loaded = appExports(ADAPTER_SCOPE);
    const adapter = isJsonObject(loaded) ? (loaded.adapter ?? loaded.default) : undefined;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return adapter as AppAdapter | undefined;
  } catch (error) {
    throw new SessionError(`The adapter threw when the browser loaded it: ${stackOf(error)}`, {
      cause: error,
    });
  }
}
