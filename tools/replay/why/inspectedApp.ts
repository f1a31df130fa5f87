import type { ToolApp } from '../adapter/toolApp.ts';
import { adapterApp, storeApp } from '../inspector/model/apps/adapter.ts';
import type { InspectedApp } from '../inspector/model/trace/app.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { STDIN } from '../read/stdin.ts';
import { loadCapture } from '../read/readCapture.ts';
import { adapterOf } from '../adapter/loadAdapter.ts';

/**
 * Returns the app as the inspector shows it, for a command that counts steps and names values as the inspector does.
 * @param given the path of the adapter's module; without one, the own app.
 * @param path the capture, which the app of a store runs through once.
 * @throws {UsageError} when the adapter cannot be used.
 * @throws {SessionError} when the app of a store throws.
 * @throws {CaptureError} for the app of a store and stdin.
 */
export async function inspectedApp(
  given: string | undefined,
  own: ToolApp,
  path: string,
): Promise<InspectedApp> {
  if (given === undefined) return own.inspected;
  const adapter = await adapterOf(given);
  if (!('createStore' in adapter)) return adapterApp(adapter);
  if (path === STDIN)
    throw new CaptureError('- (stdin) is read once; name a file for the adapter of a store');
  return storeApp(adapter)(await loadCapture(path));
}
