import { visibleName } from './escapeControls.ts';
import type { Output } from './output.ts';

/** Prints warnings on stderr, one per line. */
export function printWarnings(output: Output, warnings: readonly string[]): void {
  for (const warning of warnings) output.err(`warning: ${visibleName(warning)}\n`);
}
