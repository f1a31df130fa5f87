import { type Conversation, fromSnapshot } from '#shared/conversation/conversation.ts';
import { type ReplayCode, appCode } from '#shared/replay/code.ts';

/**
 * Returns a function that converts conversations of another revision's code to our form. When the conversion of a sample changes
 * nothing, it is not needed. Otherwise each conversation is converted through the shape of the specification.
 */
export function ownForm(code: ReplayCode): (conversation: Conversation) => Conversation {
  if (isOurs(code)) return (conversation) => conversation;
  const converted = new WeakMap<Conversation, Conversation>();
  return (conversation) => {
    const known = converted.get(conversation);
    if (known !== undefined) return known;
    const inOurForm = toOurForm(code, conversation);
    converted.set(conversation, inOurForm);
    return inOurForm;
  };
}

function toOurForm({ toSnapshot }: ReplayCode, conversation: Conversation): Conversation {
  const { person, messages } = toSnapshot(conversation);
  return { ...fromSnapshot({ person: '', messages }), person };
}

const ours = new WeakMap<ReplayCode, boolean>();

/** Returns whether code has our form of conversations: it reads them with our function, or the conversion of a sample changes nothing. */
function isOurs(code: ReplayCode): boolean {
  const isSame = ours.get(code) ?? (code.toSnapshot === appCode.toSnapshot || isUnchanged(code));
  ours.set(code, isSame);
  return isSame;
}

const SAMPLE = Array.from({ length: 70 }, (_, i) => ({ modifier: 'ai', content: [{ text: `${i}` }] }));

/** Does not use our reducers: a fault of them is one of captures. */
function isUnchanged(code: ReplayCode): boolean {
  try {
    const sample = SAMPLE.reduce(
      (conversation, frame) => code.applyUpdate(conversation, { kind: 'message', frame }),
      code.emptyConversation,
    );
    return JSON.stringify(toOurForm(code, sample)) === JSON.stringify(sample);
  } catch {
    // Its own reducers throw: the captures show whether that matters.
    return false;
  }
}
