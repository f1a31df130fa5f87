import { createHash } from 'node:crypto';
import { canonicalJson } from '../diff/canonicalJson.ts';
import type { StateDocument } from '../parley/stateDocument.ts';

/**
 * Returns `sha256:…` over the replay's hash and its state: the canonical JSON of `{hash, state}`, then each waiting update. The waiting updates
 * are hashed one by one, because together they can be longer than a string can be.
 */
export function hashState(replayHash: string, { queue, ...rest }: StateDocument): string {
  const { waiting, ...size } = queue;
  const hash = createHash('sha256');
  hash.update(canonicalJson({ hash: replayHash, state: { ...rest, queue: size } }));
  for (const update of waiting) hash.update(canonicalJson(update));
  return `sha256:${hash.digest('hex')}`;
}
