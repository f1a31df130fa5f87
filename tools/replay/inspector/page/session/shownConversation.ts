import { type Conversation, type Message, toMessage } from '#shared/conversation/conversation.ts';
import { toArray, vectorOf } from '#shared/conversation/vector.ts';
import type { Message as MessageFrame } from '#shared/protocol/update.ts';
import type { Arrivals } from '#shared/store/conversationSlices.ts';
import type { ShownState } from '#shared/store/windowState.ts';
import { isSameJson, ownField } from '../../../diff/valueDiff.ts';
import type { ConversationView, MessagesView, WindowView } from '../../protocol/protocol.ts';

/** The minimum height of a message, and that of the parts around the conversation, in pixels. */
const MESSAGE_HEIGHT = 54;
const PARTS_HEIGHT = 420;

/** Returns how many of the newest messages fill the conversation in a page of a height in pixels. Drawing more takes time at each step. */
export const visibleMessages = (height: number): number =>
  Math.max(5, Math.ceil((height - PARTS_HEIGHT) / MESSAGE_HEIGHT));

/** The conversation of a step in the form that the app's own components render. */
export interface Shown {
  readonly conversation: Conversation;
  readonly arrivals: Arrivals;
  /** The index of the first of these messages in the whole conversation. */
  readonly start: number;
  readonly total: number;
  readonly rows: readonly Row[];
}

interface Row {
  readonly frame: MessageFrame;
  readonly message: Message;
}

/** Returns the conversation that a step shows. Unchanged messages keep their references, so that they do not re-render. */
export function shownConversation(view: ConversationView, before?: Shown): Shown {
  const { person, total, start, messages, arrivals } = view;
  const rows = messages.map((frame, index) => rowOf(frame, before?.rows[start + index - before.start]));
  return shownRows({ person, total, start, rows, arrivals: vectorOf(arrivals) }, before);
}

type Rows = Omit<Shown, 'conversation'> & Pick<Conversation, 'person'>;

function shownRows({ person, total, start, rows, arrivals }: Rows, before?: Shown): Shown {
  const isSame =
    before?.start === start &&
    before.conversation.person === person &&
    before.rows.length === rows.length &&
    rows.every((row, index) => row === before.rows[index]);
  // A new conversation object would scroll to its end.
  const conversation = isSame
    ? before.conversation
    : { person, messages: vectorOf(rows.map(({ message }) => message)) };
  const isSameArrivals = before !== undefined && isSameJson(before.arrivals, arrivals);
  return { conversation, start, total, rows, arrivals: isSameArrivals ? before.arrivals : arrivals };
}

const rowOf = (frame: MessageFrame, before: Row | undefined): Row =>
  before !== undefined && isSameJson(before.frame, frame) ? before : { frame, message: toMessage(frame) };

/** Adds the previous messages to the conversation of a step. */
export function withEarlier(shown: Shown, { messages, arrivals }: MessagesView): Shown {
  const { conversation, start, total, rows } = shown;
  const added = messages.map((frame) => rowOf(frame, undefined));
  return shownRows({
    person: conversation.person,
    total,
    start: start - added.length,
    rows: [...added, ...rows],
    arrivals: vectorOf([...arrivals, ...toArray(shown.arrivals)]),
  });
}

type Playing = ShownState['audio']['playing'];

/** Returns the state of the window's store at a step. Unchanged slices keep their references, so that their parts do not re-render. */
export function pictureState({ state }: WindowView, shown: Shown, before?: ShownState): ShownState {
  const { own: whole, ...slices } = {
    ...state,
    audio: { ...state.audio, playing: playingIn(shown, state.audio.playing) },
  };
  const own = ownIn(shown, whole);
  const { arrivals, conversation } = shown;
  if (before === undefined) return { ...slices, own, arrivals, conversation };
  return { ...keepSlices(slices, before), own: keepSlices(own, before.own), arrivals, conversation };
}

/** Returns the place of the playing sound among the shown messages, which are the newest. */
const playingIn = ({ start }: Shown, playing: Playing): Playing =>
  playing && { ...playing, message: playing.message - start };

type Own = ShownState['own'];

/** Returns a window's own state with the places of messages among the shown ones. */
function ownIn({ start }: Shown, own: Own): Own {
  if (start === 0) return own;
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

/** Replaces slices that are the same as before with those. */
const keepSlices = <T extends object>(now: T, before: object): T => ({
  ...now,
  ...Object.fromEntries(
    Object.keys(now)
      .filter((name) => isSameJson(ownField(now, name), ownField(before, name)))
      .map((name) => [name, ownField(before, name)]),
  ),
});
