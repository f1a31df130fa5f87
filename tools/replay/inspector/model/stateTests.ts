import { type Conversation, emptyConversation } from '#shared/conversation/conversation.ts';
import type { Course } from './course.ts';
import {
  connectionAt,
  conversationAfter,
  countsAt,
  nextConversation,
  queueAt,
  readerOf,
  updateOf,
} from './courseState.ts';
import type { Expression, ExpressionState } from './expression.ts';
import type { StepTest } from './recordTests.ts';
import { isRelease } from './stepRow.ts';

/** Steps at which an expression becomes true. */
export function expressionTest(course: Course, expression: Expression): StepTest {
  const conversationAt = conversationWalk(course);
  const { usesConversation, usesRest, holds } = expression;
  const holdsAt = (step: number) =>
    holds(new StateAt(course, step, usesConversation ? conversationAt(step) : emptyConversation));
  let known: { readonly step: number; readonly holds: boolean } | undefined;
  return (step) => {
    const before = known?.step === step - 1 ? known.holds : holdsAt(step - 1);
    // A step that releases nothing leaves the conversation as it is.
    const isSame = !usesRest && !isRelease(course, step);
    known = { step, holds: isSame ? before : holdsAt(step) };
    return known.holds && !before;
  };
}

/** The conversations after steps that are asked for in order: each from the one before. */
export function conversationWalk(course: Course): (step: number) => Conversation {
  const read = readerOf(course);
  let known: { updates: number; conversation: Conversation } | undefined;
  return (step) => {
    const updates = course.steps.updates.at(step);
    if (known?.updates === updates - 1) {
      const conversation = nextConversation(known.conversation, updateOf(course, updates, read));
      known = { updates, conversation };
    } else if (known?.updates !== updates) {
      known = { updates, conversation: conversationAfter(course, updates, known) };
    }
    return known.conversation;
  };
}

const DISCONNECTED = { status: 'disconnected', closedBecause: null } as const;

/** The state after a step; what costs to count is counted when the expression asks for it. */
class StateAt implements ExpressionState {
  readonly person: ExpressionState['person'];
  readonly messages: ExpressionState['messages'];
  readonly #course: Course;
  readonly #step: number;

  constructor(course: Course, step: number, { person, messages }: Conversation) {
    this.person = person;
    this.messages = messages;
    this.#course = course;
    this.#step = step;
  }

  get connection() {
    return connectionAt(this.#course, this.#step)?.state ?? DISCONNECTED;
  }
  get counts() {
    return countsAt(this.#course, this.#step);
  }
  get queue() {
    return queueAt(this.#course, this.#step);
  }
  get updates() {
    return this.#course.steps.updates.at(this.#step);
  }
  get time() {
    return this.#course.steps.times.at(this.#step);
  }
}
