import jsep from 'jsep';
import { type Compiled, type ExpressionState, compileNode } from './expressionNodes.ts';
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

/**
 * Parses an expression such as `messages.length == 40 && connection == 1`. It can name fields of the state, access their parts,
 * compare, calculate and combine, and nothing else. A path that does not exist is `undefined`.
 * @throws {SessionError} when the expression is not valid or uses anything else.
 */
export function parseExpression(text: string): Expression {
  if (text.length > MAX_LENGTH) throw new SessionError(`An expression has at most ${MAX_LENGTH} characters.`);
  const { get, uses }: Compiled = compileNode(parse(text));
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
