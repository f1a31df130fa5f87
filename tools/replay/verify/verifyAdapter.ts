import { bundleAdapter } from '../adapter/bundleAdapter.ts';
import type { CaptureResult } from './captureResult.ts';
import { type VerifyCapturesOptions, verifyCaptures } from './verifyCaptures.ts';

interface VerifyAdapterOptions extends Omit<VerifyCapturesOptions, 'app' | 'base' | 'engine'> {
  /** The path of the adapter's module, as the user wrote it. */
  readonly adapter: string;
}

/**
 * Verifies captures of another app with its adapter.
 * @throws {UsageError} when the adapter cannot be used.
 */
export async function* verifyAdapter(
  captures: AsyncIterable<string>,
  { adapter, ...options }: VerifyAdapterOptions,
): AsyncGenerator<CaptureResult, void> {
  const { file, remove } = await bundleAdapter(adapter);
  try {
    yield* verifyCaptures(captures, { ...options, app: file });
  } finally {
    remove();
  }
}
