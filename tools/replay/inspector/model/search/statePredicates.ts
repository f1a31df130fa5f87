import { type Conversation, emptyConversation } from '#shared/conversation/conversation.ts';
import { stateDiff } from '../../../diff/stateDiff.ts';
import { isPath, keysOf, valueDiff } from '../../../diff/valueDiff.ts';
import type { Trace } from '../trace/trace.ts';
import {
  actsAt,
  connectionAt,
  conversationAfter,
  countsAt,
  nextConversation,
  queueAt,
  stateAt,
  titledAttentionAt,
  traceReader,
  updateAt,
  wordsAt,
} from '../trace/traceState.ts';
import type { Expression } from './expression.ts';
import type { ParleyValues } from './compiledExpression.ts';
import { type StepPredicate, stepAct } from './recordPredicates.ts';
import type { RecordReader } from '../trace/lineTable.ts';
import { SessionError } from '../trace/sessionError.ts';
import { type Place, placeAt, plainValue } from '../trace/stateTree.ts';
import { isRelease } from '../trace/stepRow.ts';

/** Returns a predicate of the steps at which an expression becomes true; one that names the step's action, of all steps at which it is true. */
export function expressionPredicate(trace: Trace, expression: Expression): StepPredicate {
  const conversationAt = conversationWalk(trace);
  const read = traceReader(trace);
  const { usesConversation, usesRest, usesAct, evaluate } = expression;
  const isTrueAt = (step: number) =>
    evaluate(new StateAt({ trace, read, step }, usesConversation ? conversationAt(step) : emptyConversation));
  if (usesAct) return isTrueAt;
  let known: { readonly step: number; readonly isTrue: boolean } | undefined;
  return (step) => {
    const before = known?.step === step - 1 ? known.isTrue : isTrueAt(step - 1);
    // A step that releases no update does not change the conversation.
    const isSame = !usesRest && !isRelease(trace, step);
    known = { step, isTrue: isSame ? before : isTrueAt(step) };
    return known.isTrue && !before;
  };
}

/** Returns a function that computes the conversation after a step from that of the previous call; call it in step order. */
export function conversationWalk(trace: Trace): (step: number) => Conversation {
  const read = traceReader(trace);
  let known: { updates: number; conversation: Conversation } | undefined;
  return (step) => {
    const updates = trace.steps.updates.at(step);
    if (known?.updates === updates - 1) {
      const conversation = nextConversation(known.conversation, updateAt(trace, updates, read));
      known = { updates, conversation };
    } else if (known?.updates !== updates) {
      known = { updates, conversation: conversationAfter(trace, updates, known) };
    }
    return known.conversation;
  };
}

interface StepPlace {
  readonly trace: Trace;
  readonly read: RecordReader;
  readonly step: number;
}

/** The state after a step; expensive counts are computed when the expression reads them. */
class StateAt implements ParleyValues {
  readonly [name: string]: unknown;
  readonly person: ParleyValues['person'];
  readonly messages: ParleyValues['messages'];
  readonly #trace: Trace;
  readonly #read: RecordReader;
  readonly #step: number;

  constructor({ trace, read, step }: StepPlace, { person, messages }: Conversation) {
    this.person = person;
    this.messages = messages;
    this.#trace = trace;
    this.#read = read;
    this.#step = step;
  }

  get connection() {
    return connectionAt(this.#trace, this.#step).state;
  }
  get counts() {
    return countsAt(this.#trace, this.#step);
  }
  get queue() {
    return queueAt(this.#trace, this.#step);
  }
  get wasConnected() {
    return actsAt(this.#trace, this.#step).wasConnected;
  }
  get backlog() {
    return actsAt(this.#trace, this.#step).backlog;
  }
  get audio() {
    return actsAt(this.#trace, this.#step).audio;
  }
  get preferences() {
    return actsAt(this.#trace, this.#step).preferences;
  }
  get attention() {
    return titledAttentionAt(this.#trace, this.#step);
  }
  get windows() {
    return actsAt(this.#trace, this.#step).windows;
  }
  get words() {
    return wordsAt(this.#trace, this.#step);
  }
  get act() {
    return stepAct(this.#trace, this.#step, this.#read);
  }
  get updates() {
    return this.#trace.steps.updates.at(this.#step);
  }
  get time() {
    return Math.round(this.#trace.steps.times.at(this.#step)) / 1000;
  }
}

/**
 * Returns a predicate of the steps at which the value at a path of the state changes.
 * @throws {SessionError} when the text is not a path, or does not start with a field of the state.
 */
export function fieldChangePredicate(trace: Trace, path: string): StepPredicate {
  if (!isPath(path)) {
    throw new SessionError(`“${path}” is not a path; a path is written like messages[3].content[0].text.`);
  }
  const [name = ''] = keysOf(path);
  const names = Object.keys(stateAt(trace, 0, emptyConversation));
  if (!names.includes(name)) {
    throw new SessionError(`“${path}” is not a path of the state; a path begins with ${names.join(', ')}.`);
  }
  const conversationAt = conversationWalk(trace);
  const isConversation = name === 'person' || name === 'messages';
  const { updates } = trace.steps;
  return (step) => {
    if (isConversation && updates.at(step) === updates.at(step - 1)) return false;
    const before = isConversation ? conversationAt(step - 1) : emptyConversation;
    const after = isConversation ? conversationAt(step) : emptyConversation;
    if (isConversation && before === after) return false;
    return isDifferent(
      placeIn({ shape: 'state', value: stateAt(trace, step - 1, before) }, path),
      placeIn({ shape: 'state', value: stateAt(trace, step, after) }, path),
    );
  };
}

const LENGTH = /\.length$/;

/** Resolves a path; the length of a list counts as a field. */
function placeIn(root: Place, path: string): Place | undefined {
  const found = placeAt(root, path);
  if (found !== undefined || !LENGTH.test(path)) return found;
  const list = placeAt(root, path.replace(LENGTH, ''));
  if (list?.shape === 'messages' || list?.shape === 'content') {
    return { shape: 'json', value: list.value.length };
  }
  return Array.isArray(list?.value) ? { shape: 'json', value: list.value.length } : undefined;
}

function isDifferent(a: Place | undefined, b: Place | undefined): boolean {
  if (a?.value === b?.value) return false;
  if (a?.shape === 'messages' && b?.shape === 'messages') {
    return stateDiff(withMessages(a.value), withMessages(b.value), 1).length > 0;
  }
  return valueDiff(plain(a), plain(b)).length > 0;
}

const withMessages = (messages: Conversation['messages']): Conversation => ({ person: null, messages });

const plain = (place: Place | undefined): unknown => place && plainValue(place);
