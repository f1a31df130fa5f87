import { pathToFileURL } from 'node:url';
import { UsageError } from '../base/errors.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { checkAdapter } from './checkAdapter.ts';
import { plainAdapter } from './plainAdapter.ts';

/**
 * Loads an adapter from its bundle.
 * @param given the path of the module as the user wrote it, for errors.
 * @throws {UsageError} when it throws, or is not an adapter.
 */
export async function loadAdapter(file: string, given = file): Promise<AppAdapter> {
  const loaded = await imported(file, given);
  try {
    return plainAdapter(checkAdapter(loaded));
  } catch (error) {
    throw new UsageError(`--app ${given}: ${lineOf(error)}`, { cause: error });
  }
}

async function imported(file: string, given: string): Promise<unknown> {
  try {
    return await import(/* @vite-ignore */ pathToFileURL(file).href);
  } catch (error) {
    throw new UsageError(`--app ${given}: throws when it is loaded: ${lineOf(error)}`, { cause: error });
  }
}

/**
 * Returns the error about an adapter that threw while it replayed a capture; an error about the capture itself stays.
 */
export function adapterError(given: string, error: unknown): unknown {
  if (error instanceof CaptureError || error instanceof UsageError) return error;
  const name = error instanceof Error ? error.name : typeof error;
  return new UsageError(`--app ${given}: the adapter threw ${name}: ${lineOf(error)}`, { cause: error });
}

const lineOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1).join('');
