import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import { checkAdapter, replayedApp } from '../adapter/checkAdapter.ts';
import type { ResultRecord } from './resultRecord.ts';
import { type MarkedScript, verifyCapture } from './verifyCapture.ts';

/** A result, and with a script of `MarkedScript` the parts of the code that are marked with 1. */
export interface MarkedResult extends ResultRecord {
  readonly reached?: Uint8Array;
}

/**
 * Returns a function that verifies a capture and finds the parts of the code that it reaches. All modules, also those of packages, are new for each
 * capture: one that an earlier capture has filled, such as a cache, would hide what this one reaches.
 */
export function markedVerifier({ file, entry, units, isAdapter }: MarkedScript) {
  const script = new Script(readFileSync(file, 'utf8'), { filename: file });
  return async (capture: string): Promise<MarkedResult> => {
    const reached = new Uint8Array(units);
    const module = { exports: {} };
    const run: unknown = script.runInThisContext();
    if (typeof run !== 'function') throw new TypeError('a script is a function');
    run(module.exports, createRequire(entry), module, entry, dirname(entry), reached);
    // It is the module of Parley's entry.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const parley = module.exports as { readonly verify: (capture: string) => Promise<ResultRecord> };
    const result = isAdapter
      ? verifyCapture(capture, replayedApp(checkAdapter(module.exports)))
      : parley.verify(capture);
    return { ...(await result), reached };
  };
}
