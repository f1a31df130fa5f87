import { decorateCode } from '../code/decorateCode.ts';
import { setDirections } from './setDirections.ts';
import { wrapTables } from './wrapTables.ts';

/**
 * Adds what the window adds to sanitized markup: containers that scroll, directions, and the bars of code.
 * @returns a function that stops work that continues later.
 */
export function prepareMarkup(markup: ParentNode): () => void {
  wrapTables(markup);
  setDirections(markup);
  return decorateCode(markup);
}
