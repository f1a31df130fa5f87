import type { ReplayState } from '#shared/replay/adapter.ts';
import type { ReceivedUpdate } from '#shared/actions/sessionActions.ts';
import { type Conversation, toFrame } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { clip, pluralize } from '#shared/formatText.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { REJECT_REASONS, describeUpdate, itemText } from '../base/describeUpdate.ts';
import { escapeControls, formatTime } from '../base/visibleText.ts';
import type { Step } from '../engine/createEngine.ts';
import type { SessionState } from '../engine/sessionAdapter.ts';
import type { ParleyStep, StateDocument } from '../parley/parley.ts';
import {
  APP_PARTS,
  type AppRunDocument,
  type FinishedRun,
  type RunDocument,
  type RunNumbers,
} from './runDocument.ts';

/** Summarizes a replay for people, one line for each number. @param ending what the session ends with. */
function summary(document: RunNumbers, { header, replay }: FinishedReplay, ending?: string): string {
  const { frames, updates, virtualMs, wallMs, hash, stateHash } = document;
  const { counts, queue } = replay;
  const { dropped: unsent = 0 } = counts;
  const dropped = unsent > 0 ? `, ${unsent} dropped unsent` : '';
  const waiting = queue.length > 0 ? `, ${queue.length} still waiting` : '';
  const recorder = isParleys(header) ? `Parley ${header.app}` : header.app;
  const rejected = Object.entries(counts.rejected).map(
    ([reason, n]) => `${n} ${REASONS[reason] ?? escapeControls(reason)}`,
  );
  const rejections = frames.rejected === 0 ? '' : ` (${frames.rejected} rejected: ${rejected.join(', ')})`;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['recorded', `${escapeControls(header.startedAt)}, by ${escapeControls(recorder)}`],
    ['frames', `${frames.received} received${rejections}, ${frames.sent} sent${dropped}`],
    ['updates', `${updates.applied} applied, ${updates.ignored} ignored${waiting}`],
    ['session', `${formatTime(virtualMs)} to the last update`],
    ['replayed in', `${wallMs} ms`],
    ['hash', hash],
    ['state hash', stateHash],
    ['ends with', ending],
  ];
  const text = lines.flatMap(([name, value]) =>
    value === undefined ? [] : `  ${name.padEnd(12)} ${value}\n`,
  );
  return `${escapeControls(document.capture)}\n\n${text.join('')}`;
}

/** A replay of Parley, or of another app: only Parley drops messages. */
type FinishedReplay = Pick<FinishedRun, 'header'> & {
  readonly replay: { readonly counts: SessionState['counts'] & { readonly dropped?: number } } & Pick<
    SessionState,
    'queue'
  >;
};

/** Returns whether Parley recorded a session: only Parley leaves its name out. */
export const isParleys = ({ app }: FinishedRun['header']): boolean => /^\d/.test(app);

const REASONS: Readonly<Record<string, string>> = REJECT_REASONS;

/** Formats the result of an app's replay for people: the summary, then the parts of `--with`. */
export function* appRunReport(document: AppRunDocument, done: FinishedRun): Generator<string, void> {
  yield summary(document, done);
  const parts = APP_PARTS.filter((part) => part in document);
  for (const part of parts)
    yield `\n${part}\n${JSON.stringify(document[part], null, 2).split('\n').map(indented).join('')}`;
  if (parts.length === 0) yield `\nUse --with ${APP_PARTS.join(',')} to see the result.\n`;
}

/** Indents a line of JSON, and keeps its own indentation. */
function indented(line: string): string {
  const start = line.search(/\S|$/);
  return `  ${line.slice(0, start)}${escapeControls(line.slice(start))}\n`;
}

/** Formats the result of a replay of Parley for people, in pieces: the summary, then the parts of `--with`. */
export function* runReport(document: RunDocument, done: FinishedRun<ReplayState>): Generator<string, void> {
  const { conversation, notifications, state } = document;
  const shown = done.notifications.length;
  const messages = pluralize(done.replay.conversation.messages.length, 'message');
  yield summary(
    document,
    done,
    shown > 0 ? `${messages}, ${pluralize(shown, 'notification')} shown` : messages,
  );
  if (conversation) yield* transcript(conversation);
  if (notifications) {
    yield '\nNotifications\n';
    for (const { title, body } of notifications)
      yield `  ${escapeControls(title)}: ${escapeControls(body)}\n`;
    if (notifications.length === 0) yield '  none\n';
  }
  if (state) yield* stateReport(state);
  if (!conversation && !notifications && !state)
    yield '\nUse --with conversation,notifications to see the result.\n';
}

/** Formats the state as JSON, then the waiting updates, one a line. */
function* stateReport({ queue, ...state }: StateDocument): Generator<string, void> {
  const { waiting, ...size } = queue;
  yield `\nState\n${JSON.stringify({ ...state, queue: size }, null, 2).replaceAll(/^/gmu, '  ')}\n`;
  if (waiting.length > 0) yield '\nWaiting updates, with the time at which each was received\n';
  for (const update of waiting) yield waitingLine(update);
}

/** Formats the conversation for people, one message at a time: the sender, then each content item. */
function* transcript({ person, messages }: Conversation): Generator<string, void> {
  const name = person === null ? 'an unknown person' : escapeControls(person);
  yield `\nConversation of ${name}, ${pluralize(messages.length, 'message')}\n`;
  for (let i = 0; i < messages.length; i++) {
    const message = itemAt(messages, i);
    if (message === undefined) continue;
    const { modifier = '', context = '', content = [] } = toFrame(message);
    const who = [context, context === '' ? modifier : `(${modifier})`]
      .filter((part) => part !== '')
      .join(' ');
    yield `\n  ${escapeControls(who)}\n${content.map(itemLines).join('')}`;
  }
}

/** Formats an item, indented; its line breaks stay. */
const itemLines = (item: ContentItem): string =>
  itemText(item)
    .split(/\r?\n/u)
    .map((line) => `    ${escapeControls(line)}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');

const WIDEST_LINE = 100;

/** Describes one update of an app at its tick, on one line: when, of what kind, with what content. */
export const appStepLine = (step: Step): string =>
  line(step, clip(escapeControls(JSON.stringify(step.update) ?? ''), WIDEST_LINE));

/** Describes one update of Parley at its tick, on one line. */
export function stepLine(step: ParleyStep): string {
  const { update, notification } = step;
  const text = notification && `${notification.title}: ${notification.body}`;
  const shown = text === undefined ? undefined : clip(escapeControls(text), WIDEST_LINE);
  return line(step, shown ?? describeUpdate(update, WIDEST_LINE));
}

/** Describes one waiting update, on one line: when it was received, of what kind, with what content. */
const waitingLine = ({ at, update }: ReceivedUpdate): string =>
  line({ tick: at, kind: update.kind }, describeUpdate(update, WIDEST_LINE));

interface Line {
  readonly tick: number;
  readonly kind: string;
  readonly effect?: Step['effect'];
}

const line = ({ tick, kind, effect }: Line, content: string): string =>
  `${formatTime(tick).padStart(9)}  ${escapeControls(kind).padEnd(12)}  ${effect === 'ignored' ? '(ignored) ' : ''}${content}`.trimEnd() +
  '\n';
