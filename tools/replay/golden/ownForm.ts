import { type Conversation, fromSnapshot } from '#shared/conversation/conversation.ts';
import { type ReplayCode, appCode } from '../engine/code.ts';

/**
 * Returns a function that converts conversations of another revision's code to our form. When a sample is equal under both
 * codes, no conversion is needed. Otherwise each conversation is converted through the shape of the specification.
 */
export function ownForm(code: ReplayCode): (conversation: Conversation) => Conversation {
  if (isOurs(code)) return (conversation) => conversation;
  const converted = new WeakMap<Conversation, Conversation>();
  return (conversation) => {
    const known = converted.get(conversation);
    if (known !== undefined) return known;
    const { person, messages } = code.toSnapshot(conversation);
    const inOurForm = { ...fromSnapshot({ person: '', messages }), person };
    converted.set(conversation, inOurForm);
    return inOurForm;
  };
}

const ours = new WeakMap<ReplayCode, boolean>();

/** Returns whether code has our form of conversations: it reads them with our function, or it makes the same ones from a sample. */
function isOurs(code: ReplayCode): boolean {
  const isSame =
    ours.get(code) ??
    (code.toSnapshot === appCode.toSnapshot ||
      JSON.stringify(sampleOf(code)) === JSON.stringify(sampleOf(appCode)));
  ours.set(code, isSame);
  return isSame;
}

const SAMPLE = Array.from({ length: 70 }, (_, i) => ({ modifier: 'ai', content: [{ text: `${i}` }] }));

function sampleOf({ applyUpdate, emptyConversation }: ReplayCode): Conversation {
  return SAMPLE.reduce(
    (conversation, frame) => applyUpdate(conversation, { kind: 'message', frame }),
    emptyConversation,
  );
}
