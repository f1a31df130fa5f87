import { isJsonObject } from '#shared/isJsonObject.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { stackOf } from '../adapter/stackOf.ts';
import { adapterApp } from './model/apps/adapter.ts';
import { parleyApp } from './model/apps/parley.ts';
import { type InspectedApp, SessionError } from './model/trace/app.ts';
import { ADAPTER_SCOPE, appExports } from './protocol/appScripts.ts';

/**
 * Returns the app of the adapter in the script before this one; without such a script, Parley. The command has checked the adapter.
 * @throws {SessionError} when the adapter threw in the browser.
 */
export function loadedApp(): InspectedApp {
  try {
    const loaded = appExports(ADAPTER_SCOPE);
    const adapter = isJsonObject(loaded) ? (loaded.adapter ?? loaded.default) : undefined;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return adapter === undefined ? parleyApp : adapterApp(adapter as AppAdapter);
  } catch (error) {
    throw new SessionError(`The adapter threw when the browser loaded it: ${stackOf(error)}`, {
      cause: error,
    });
  }
}
