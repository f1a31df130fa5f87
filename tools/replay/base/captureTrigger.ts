/** An entry of `watchTriggerPatterns` in Vitest's configuration. */
interface WatchTrigger {
  readonly pattern: RegExp;
  readonly testsToRun: () => string;
}

/**
 * Returns the entry of `watchTriggerPatterns` with which a new or changed capture runs its tests again in watch mode: a capture is not a module,
 * so Vitest alone does not know that the tests depend on it. This file imports nothing of Vitest, so that a configuration can import it.
 * @param folder the folder of `describeCaptures`, relative to Vitest's root, with `/`.
 * @param tests the file that calls `describeCaptures`, relative to Vitest's root.
 */
export function captureTrigger(folder: string, tests: string): WatchTrigger {
  const path = folder.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return {
    pattern: new RegExp(String.raw`/${path}/.*\.(?:parley\.jsonl(?:\.gz)?|har(?:\.gz|\.zip)?)$`),
    testsToRun: () => tests,
  };
}
