import { isJsonObject } from '#shared/isJsonObject.ts';
import type { Pane } from '../../../engine/appAdapter.ts';
import { PANE_SCOPE, appExports } from '../../protocol/appScripts.ts';

/** The pane of an app, with its styles. */
export interface LoadedPane {
  readonly draw: Pane;
  readonly styles: CSSStyleSheet | undefined;
}

/**
 * Returns the pane of the script before that of the page; `undefined` when there is none.
 * @throws {TypeError} when its module exports no function `pane`; or what the module threw when it was loaded.
 */
export function loadedPane(): LoadedPane | undefined {
  const loaded = appExports(PANE_SCOPE);
  if (loaded === undefined) return undefined;
  const { pane, styles } = isJsonObject(loaded) ? loaded : {};
  if (!isPane(pane))
    throw new TypeError('The module of the pane must export a function `pane(element, state)`.');
  return { draw: pane, styles: typeof styles === 'string' ? sheetOf(styles) : undefined };
}

const isPane = (value: unknown): value is Pane => typeof value === 'function';

/** The policy of the page refuses style elements. */
function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
