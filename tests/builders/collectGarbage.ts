import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Runs a full garbage collection, also when Node was started without `--expose-gc`. */
export function collectGarbage(): void {
  if (typeof collect !== 'function') throw new Error('this Node exposes no garbage collector');
  collect();
}
