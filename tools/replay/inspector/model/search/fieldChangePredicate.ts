import { type Conversation, emptyConversation } from '#shared/conversation/conversation.ts';
import { stateDiff } from '../../../diff/stateDiff.ts';
import { isPath, keysOf } from '../../../diff/statePath.ts';
import { valueDiff } from '../../../diff/valueDiff.ts';
import type { Trace } from '../trace/trace.ts';
import { stateAt } from '../trace/traceState.ts';
import type { StepPredicate } from './recordPredicates.ts';
import { SessionError } from '../trace/sessionError.ts';
import { type Place, placeAt, plainValue } from '../trace/stateTree.ts';
import { conversationWalk } from './expressionPredicate.ts';

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
