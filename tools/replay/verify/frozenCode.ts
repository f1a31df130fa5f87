import { type ReplayCode, appCode } from '../engine/code.ts';

const known = new WeakMap<ReplayCode, ReplayCode>();

/** Returns code whose states are deeply frozen: a reducer that mutates a state throws a `TypeError`. The same code gives the same result. */
export function frozenCode(code: ReplayCode = appCode): ReplayCode {
  const existing = known.get(code);
  if (existing !== undefined) return existing;
  const created: ReplayCode = {
    ...code,
    emptyConversation: frozen(code.emptyConversation),
    applyUpdate: (conversation, update) => frozen(code.applyUpdate(conversation, update)),
  };
  known.set(code, created);
  return created;
}

/** Freezes a value with all its parts. Parts that are frozen already are skipped, so the cost depends on what is new. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}

/** Returns whether an error is that of an assignment to a frozen object. */
export const isFrozenError = (error: unknown): boolean =>
  error instanceof TypeError &&
  /read only property|not extensible|Cannot (?:delete|redefine|define) property/.test(error.message);
