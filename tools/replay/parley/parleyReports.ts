import { type ActsState, actsPart, initialActs } from '#shared/capture/recordedActions.ts';
import {
  type Conversation,
  type Message,
  fromSnapshot,
  toSnapshot,
} from '#shared/conversation/conversation.ts';
import {
  displayedCategory,
  displayedText,
  initialsOf,
  positionOf,
  sideOf,
} from '#shared/conversation/display.ts';
import { formatOf } from '#shared/conversation/markdownRuns.ts';
import { emptyVector, toArray } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { type ReplayCode, appCode } from '#shared/replay/code.ts';
import type { ReplayState } from '#shared/replay/adapter.ts';
import { windowTitle } from '#shared/store/openWindows.ts';
import { compareVectors, slicesDiff, stateDiff } from '../diff/stateDiff.ts';
import { type Change, compareFields, compareValues, valueDiff } from '../diff/valueDiff.ts';
import type { StateReports } from '../engine/sessionAdapter.ts';
import { hashReplay } from './hashReplay.ts';
import { wholeState } from './parley.ts';

/** Returns what reports contain of Parley's states. The cost of a comparison depends on what changed. */
export function parleyReports(code: ReplayCode = appCode): StateReports<ReplayState> {
  const ours = ownForm(code);
  const inOurForm = (state: ReplayState) => ({ ...state, conversation: ours(state.conversation) });
  return {
    view({ conversation }) {
      const { person, messages } = toSnapshot(ours(conversation));
      return { person, messages, display: displayOf(ours(conversation)) };
    },
    viewChanges({ conversation: before }, { conversation: after }) {
      const changes = stateDiff(ours(before), ours(after));
      addDisplayDiff(ours(before), ours(after), changes);
      return changes;
    },
    totals: (state) => ({ ...totalsOf(state), arrivals: toArray(state.arrivals) }),
    totalsChanges: (before, after) => totalsDiff(totalsOf(before), totalsOf(after)),
    actsChanges,
    end(state) {
      // The steps contain the arrivals.
      const { arrivals: _arrivals, ...totals } = totalsOf(state);
      return { ...totals, appliedUpdates: state.appliedUpdates, snapshotFields: state.snapshotFields };
    },
    whole: (state) => wholeState(inOurForm(state)),
    hash: (state, notifications) => hashReplay({ ...inOurForm(state), notifications }),
    stateChanges: (a, b) => [
      ...stateDiff(a.conversation, b.conversation),
      ...slicesDiff(slicesOf(a), slicesOf(b)),
    ],
    otherChanges: (a, b) => valueDiff(othersOf(a), othersOf(b)),
  };
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const ACTS = Object.keys(initialActs) as readonly (keyof ActsState)[];

/**
 * Returns how the state that follows from actions has changed. The connection has a list of its own in goldens, and the number of unread
 * messages is in the steps.
 */
export function actsChanges(before: ActsState = initialActs, after: ActsState): Change[] {
  // References: this runs for each record.
  if (ACTS.every((name) => before[name] === after[name])) return [];
  return slicesDiff(actsWithoutSteps(before), actsWithoutSteps(after));
}

function actsWithoutSteps(acts: ActsState) {
  const { connection: _connection, attention, ...others } = actsPart(acts);
  const { unread: _unread, ...watched } = attention;
  return { ...others, attention: watched };
}

/** What `stateDiff` and `othersOf` compare, and times. */
const NO_SLICES = new Set('conversation connection counts appliedUpdates queue arrivals'.split(' '));

const slicesOf = (state: ReplayState) => ({
  ...Object.fromEntries(Object.entries(state).filter(([name]) => !NO_SLICES.has(name))),
  windows: state.windows,
});

const othersOf = ({ connection, counts, appliedUpdates, queue: { length, bytes } }: ReplayState) => ({
  connection,
  counts,
  appliedUpdates,
  queue: { length, bytes },
});

/** What is counted of a state at one moment; `title` is that of every window. */
export type Totals = ReturnType<typeof totalsOf>;

/** Returns the totals of a state. */
const totalsOf = ({ counts, queue: { length, bytes }, attention, words, arrivals }: ReplayState) => ({
  counts,
  queue: { length, bytes },
  unread: attention.unread,
  title: windowTitle(attention),
  words,
  arrivals,
});

/** Returns how two totals differ. The cost depends on what changed, as with `stateDiff`. */
export function totalsDiff(before: Totals, after: Totals): Change[] {
  const into: Change[] = [];
  compareFields({ path: '', before, after, into }, 'arrivals');
  compareVectors({ path: 'arrivals', before: before.arrivals, after: after.arrivals, into }, compareValues);
  return into;
}

/**
 * Returns a function that converts conversations of another revision's code to our form. When the conversion of a sample changes
 * nothing, it is not needed. Otherwise each conversation is converted through the shape of the specification.
 */
function ownForm(code: ReplayCode): (conversation: Conversation) => Conversation {
  if (code.toSnapshot === appCode.toSnapshot || isUnchanged(code)) return (conversation) => conversation;
  const converted = new WeakMap<Conversation, Conversation>();
  return (conversation) => {
    const inOurForm = converted.get(conversation) ?? toOurForm(code, conversation);
    converted.set(conversation, inOurForm);
    return inOurForm;
  };
}

function toOurForm(code: ReplayCode, conversation: Conversation): Conversation {
  const { person, messages } = code.toSnapshot(conversation);
  return { ...fromSnapshot({ person: '', messages }), person };
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

/** Returns what the window derives from the conversation, in the form of goldens. */
const displayOf = ({ person, messages }: Conversation) => ({
  initials: initialsOf(person ?? ''),
  messages: toArray(messages).map(displayedMessage),
});

/** Adds how the display differs between two conversations. Only messages that changed are compared, as with `stateDiff`. */
function addDisplayDiff(before: Conversation, after: Conversation, into: Change[]): void {
  if (before.person !== after.person) {
    const [old, initials] = [initialsOf(before.person ?? ''), initialsOf(after.person ?? '')];
    compareValues({ path: 'display.initials', before: old, after: initials, into });
  }
  const messages = { path: 'display.messages', before: before.messages, after: after.messages, into };
  compareVectors(messages, ({ path, before: one, after: other }) => {
    if (other !== undefined)
      compareValues({ path, before: one && displayedMessage(one), after: displayedMessage(other), into });
  });
}

/** Returns for each item its position and its display, and the displayed text when that is not the item's own: `last text ...`. */
const displayedMessage = ({ modifier, content = emptyVector() }: Message) => ({
  side: sideOf(modifier),
  items: toArray(content).map((item, index) => displayedItem(item, index, content.length)),
});

function displayedItem(item: ContentItem, index: number, count: number): string {
  const kind = formatOf(item) ?? displayedCategory(item.category);
  const shown = `${positionOf(index, count)} ${kind}`;
  if (kind === 'html' || kind === 'image') return shown;
  const text = displayedText(item.text);
  return text === item.text ? shown : `${shown} ${text}`;
}
