import { toFrame } from '#shared/conversation/conversation.ts';
import { toArray } from '#shared/conversation/vector.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';
import { createOutcome, sha256Of } from '../engine/stateReports.ts';
import type { Notification } from '../engine/sessionAdapter.ts';
import type { ReplayState } from '#shared/replay/adapter.ts';

/** What a hash covers. */
type Hashed = Pick<ReplayState, 'conversation' | 'counts'> & {
  readonly notifications: readonly Notification[];
};

/**
 * Returns `sha256:…` over the canonical JSON of `{conversation, frames, notifications, updates}` (contract §7). The same
 * capture gives the same hash on every machine, with every engine and at every speed.
 */
export const hashReplay = (replay: Hashed): string => sha256Of(hashedTexts(replay));

/** A message that the conversation lacks is `null`. */
function* hashedTexts({ conversation, counts, notifications }: Hashed): Generator<string, void> {
  yield '{"conversation":{"messages":[';
  for (const [index, message] of toArray(conversation.messages).entries())
    yield `${index === 0 ? '' : ','}${canonicalJson(message ? toFrame(message) : null)}`;
  const rest = { ...createOutcome({ counts }), notifications };
  yield `],"person":${JSON.stringify(conversation.person)}},${canonicalJson(rest).slice(1)}`;
}
