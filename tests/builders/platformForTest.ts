import { onTestFinished } from 'vitest';
import { type ScriptedPlatform, startPlatform } from './startPlatform.ts';

/** Starts a scripted platform that stops with the test. */
export async function platformForTest(options?: { readonly port: number }): Promise<ScriptedPlatform> {
  const platform = await startPlatform(options);
  onTestFinished(() => platform.stop());
  return platform;
}
