import type { AssistantResult, AssistantSettings } from '#shared/protocol/assistantSettings.ts';
import { ASSISTANT_TEST_MS } from '#shared/limits.ts';
import type { Clock } from '#shared/clock.ts';
import type { BuiltInPlatform } from '../data/builtInPlatform.ts';

interface Options {
  readonly platform: Pick<BuiltInPlatform, 'testAssistant'>;
  readonly clock: Clock;
  /** Aborted when the person cancels the test. */
  readonly signal: AbortSignal;
}

const SLOW = `The server has not answered within ${ASSISTANT_TEST_MS / 1000} s. Check the address, or test again when the server is less busy.`;
const CANCELLED = 'The test was cancelled.';
const NOT_TESTED = 'The built-in platform could not run the test. Try again.';

/** Tests settings through the platform, for a limited time; `null`: those in use. Never rejects. */
export async function testAssistant(
  settings: AssistantSettings | null,
  { platform, clock, signal }: Options,
): Promise<AssistantResult> {
  const timeout = new AbortController();
  const cancelTimeout = clock.after(ASSISTANT_TEST_MS, () => timeout.abort());
  try {
    const result = await platform.testAssistant(settings, AbortSignal.any([signal, timeout.signal]));
    return result.ok ? { kind: 'tested', ...modelsOf(result) } : failed(result.message);
  } catch {
    if (signal.aborted) return failed(CANCELLED);
    return failed(timeout.signal.aborted ? SLOW : NOT_TESTED);
  } finally {
    cancelTimeout();
  }
}

const modelsOf = ({ model, models }: { readonly model: string; readonly models: readonly string[] }) => ({
  model,
  models,
});

const failed = (message: string): AssistantResult => ({ kind: 'failed', field: null, message });
