import jsep from 'jsep';
import { type Compiled, type ExpressionState, compileNode } from './expressionNodes.ts';
import { SessionError } from '../trace/sessionError.ts';

/** A condition over the state, ready to be asked. */
export interface Expression {
  /** Whether its value may change while the conversation stays as it is, and the other way round. */
  readonly usesConversation: boolean;
  readonly usesRest: boolean;
  holds(state: ExpressionState): boolean;
}

const LONGEST = 1000;

/**
 * Reads an expression such as `messages.length == 40 && connection == 1`. It may name what stands in the state, reach into
 * it, compare, reckon and combine; there is nothing else that it could do. A name that leads nowhere is `undefined`.
 * @throws {SessionError} when it cannot be read, or asks for more.
 */
export function parseExpression(text: string): Expression {
  if (text.length > LONGEST) throw new SessionError(`An expression has at most ${LONGEST} characters.`);
  const { get, uses }: Compiled = compileNode(parsed(text));
  return {
    usesConversation: uses.conversation,
    usesRest: uses.rest,
    holds: (state) => Boolean(get(state)),
  };
}

function parsed(text: string): jsep.Expression {
  try {
    return jsep(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SessionError(`This expression cannot be read: ${reason}.`, { cause: error });
  }
}
