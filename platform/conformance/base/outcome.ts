/** The result of a check: the platform conforms, it does not, or the check could not be made. */
export type Outcome =
  | { readonly result: 'ok' }
  | { readonly result: 'failed'; readonly seen: string; readonly expected: string }
  | { readonly result: 'notTested'; readonly why: string };

/** The platform conforms. */
export const OK: Outcome = { result: 'ok' };

/** The platform does not conform: what was seen, and what the specification expects. */
export const failed = (seen: string, expected: string): Outcome => ({ result: 'failed', seen, expected });

/** The check could not be made, with the reason. */
export const notTested = (why: string): Outcome => ({ result: 'notTested', why });
