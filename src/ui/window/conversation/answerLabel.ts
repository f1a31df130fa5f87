/**
 * The labels of an assistant's answer. A label that ends with `…` belongs to an answer that runs:
 *
 *     Parley is writing… ──▶ Parley                                     complete
 *                        ├─▶ Parley · stopped                           by the person
 *                        ├─▶ Parley · cut off                           by a failure
 *                        └─▶ Parley · 312 tokens · first after 0.4 s    complete, with its usage
 */

/** Matches what follows the name in the label of an answer that has ended. */
const ENDING = / · (?:stopped|cut off|(?:about )?[\d.,]+ tokens?)(?: · .*)?$/u;
/** Matches the label of an answer that runs, with the name in it. */
const ACTIVITY = /^(?<name>.+) is (?:writing|thinking)\b/u;
/** Matches the label of an answer that can be continued. */
const UNFINISHED = / · (?:stopped|cut off)$/u;

/** Returns whether an answer with this label runs. */
export const isRunning = (label: string): boolean => label.trimEnd().endsWith('…');

/** Returns whether an answer with this label was stopped or cut off. */
export const isUnfinished = (label: string): boolean => UNFINISHED.test(label.trimEnd());

/** Returns the name in a label, which must have one line; empty when an answer runs and its label has no name that can be recognized. */
export function nameInLabel(label: string): string {
  const name = label.replace(ENDING, '');
  if (name !== label || !isRunning(label)) return name;
  return ACTIVITY.exec(label)?.groups?.['name'] ?? '';
}
