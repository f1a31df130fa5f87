import { onTestFinished } from 'vitest';
import { type ScriptedPlatform, startPlatform } from './platform.ts';

/** A scripted platform that ends with the test. */
export async function platformForTest(options?: { readonly port: number }): Promise<ScriptedPlatform> {
  const platform = await startPlatform(options);
  onTestFinished(() => platform.stop());
  return platform;
}
