import jsep from 'jsep';
import { parseTime } from '../../time/parseTime.ts';
import type { Compiled, ExpressionState, Names } from './compiledExpression.ts';
import { PARLEY_NAMES, compileNode } from './expressionNodes.ts';
import { SessionError } from '../trace/sessionError.ts';

/** A compiled condition on the state. */
export interface Expression {
  /** Whether its value can change while the conversation stays the same, and the reverse. */
  readonly usesConversation: boolean;
  readonly usesRest: boolean;
  /** Whether it names the step's action, which is not a part of the state. */
  readonly usesAct: boolean;
  evaluate(state: ExpressionState): boolean;
}

const MAX_LENGTH = 1000;

// `m => condition` binds less than any operator.
jsep.addBinaryOp('=>', 0.5);

/** Matches a text or a time in an expression. */
const TEXT_OR_TIME = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b\d+:[\d:]+(?:\.\d+)?/g;

/** Replaces times as the inspector shows them by seconds. @throws {SessionError} */
const withSeconds = (text: string): string =>
  text.replace(TEXT_OR_TIME, (found) => {
    if (!/^\d/.test(found)) return found;
    const ms = parseTime(found);
    if (ms === undefined) throw new SessionError(`${found} is not a time, such as 2:03.400.`);
    return `${ms / 1000}`;
  });

/**
 * Parses an expression such as `messages.length == 40 && connection == "connected"`. It can name fields of the state, access their parts,
 * compare, calculate, combine and call `contains`, `matches` and `some`, and nothing else. A path that does not exist is `undefined`. A time can be
 * written as the inspector shows it.
 * @throws {SessionError} when the expression is not valid or uses anything else.
 */
export function parseExpression(text: string, names: Names = PARLEY_NAMES): Expression {
  if (text.length > MAX_LENGTH) throw new SessionError(`An expression has at most ${MAX_LENGTH} characters.`);
  const { get, uses }: Compiled = compileNode(parse(withSeconds(text)), names);
  return {
    usesConversation: uses.conversation,
    usesRest: uses.rest,
    usesAct: uses.act,
    evaluate: (state) => Boolean(get(state)),
  };
}

function parse(text: string): jsep.Expression {
  try {
    return jsep(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SessionError(`This expression cannot be read: ${reason}.`, { cause: error });
  }
}
