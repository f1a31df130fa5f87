import { type Conversation, toMessage } from '#shared/conversation/conversation.ts';
import { toArray, vectorOf } from '#shared/conversation/vector.ts';
import type { Arrivals } from '#shared/store/conversationSlices.ts';
import type { ShownState } from '#shared/store/windowState.ts';
import { isSameJson, ownField } from '../../../diff/valueDiff.ts';
import type { ConversationView, WindowView } from '../../protocol/protocol.ts';

/** The minimum height of a message, and that of the parts around the conversation, in pixels. */
const MESSAGE_HEIGHT = 54;
const PARTS_HEIGHT = 420;

/** Returns how many messages of one line fill the conversation in a page of a height in pixels. Drawing more takes time at each step. */
export const visibleMessages = (height: number): number =>
  Math.max(5, Math.ceil((height - PARTS_HEIGHT) / MESSAGE_HEIGHT));

/** The conversation of a step in the form that the app's own components render. */
export interface Shown {
  readonly conversation: Conversation;
  readonly arrivals: Arrivals;
  /** The index of the first of these messages in the whole conversation. */
  readonly start: number;
  readonly total: number;
}

/** Returns `before` when `now` is the same: what keeps its reference is not rendered again, and a new conversation would scroll to its end. */
const kept = <T>(now: T, before: T | undefined): T =>
  before !== undefined && isSameJson(before, now) ? before : now;

/** Returns the conversation that a step shows. Unchanged parts keep their references. */
export function shownConversation(view: ConversationView, before?: Shown): Shown {
  const { person, total, start } = view;
  const known = before === undefined ? [] : toArray(before.conversation.messages);
  const offset = start - (before?.start ?? 0);
  const messages = view.messages.map((frame, index) => kept(toMessage(frame), known[offset + index]));
  return {
    conversation: kept(
      { person, messages: vectorOf(messages) },
      offset === 0 ? before?.conversation : undefined,
    ),
    arrivals: kept(vectorOf(view.arrivals), before?.arrivals),
    start,
    total,
  };
}

/** Returns the state of the window's store at a step. Unchanged slices keep their references. */
export function pictureState({ state }: WindowView, shown: Shown, before?: ShownState): ShownState {
  const { start, arrivals, conversation } = shown;
  const { playing } = state.audio;
  const audio = { ...state.audio, playing: playing && { ...playing, message: playing.message - start } };
  const own = keptFields(ownIn(shown, state.own), before?.own);
  return { ...keptFields({ ...state, audio }, before), own, arrivals, conversation };
}

type Own = ShownState['own'];

/** Returns a window's own state with the places of messages among the shown ones, which are the newest. */
function ownIn({ start }: Shown, own: Own): Own {
  const shift = <P extends { readonly message: number }>(place: P): P => ({
    ...place,
    message: place.message - start,
  });
  const count = (messages: number | null) => messages && Math.max(0, messages - start);
  const { viewer, find, scrolledTo, messageMenu, place, expanded } = own;
  return {
    ...own,
    viewer: viewer && shift(viewer),
    find: find && { ...find, hit: find.hit && shift(find.hit) },
    scrolledTo: scrolledTo && shift(scrolledTo),
    messageMenu: messageMenu === null ? null : messageMenu - start,
    place: { leftAt: count(place.leftAt), divider: count(place.divider) },
    expanded: expanded.map(shift),
  };
}

/** Returns fields of which those that are the same as before keep their references. */
const keptFields = <T extends object>(now: T, before: object | undefined): T => ({
  ...now,
  ...(before &&
    Object.fromEntries(
      Object.entries(now).map(([name, value]) => [name, kept(value, ownField(before, name))]),
    )),
});
