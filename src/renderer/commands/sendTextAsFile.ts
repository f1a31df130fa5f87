import { FILE_BYTES, TEXT_LENGTH } from '#shared/limits.ts';
import { noteShown, textBoxSent } from '#shared/actions/windowActions.ts';
import type { WindowState } from '#shared/actions/windowSchemas.ts';
import type { TextMemory } from '../texts/createTextMemory.ts';
import { PASTE_REST_LOST } from './composerTexts.ts';
import { type FileDeps, sendFile } from './sendFile.ts';
import { textFile } from './textFile.ts';

interface Deps extends FileDeps {
  readonly getState: () => { readonly own: Pick<WindowState, 'notes' | 'textBox'> };
  readonly texts: Pick<TextMemory, 'pasted'>;
}

/**
 * Sends the text of the text box as a text file, with the rest of a pasted text for which the box had no room. Closes the box as Enter does. A file that is
 * too large is refused as a dropped one (spec §7), and its text stays in the box. Does nothing with a text that can be sent as a message.
 */
export async function sendTextAsFile({ texts: { pasted }, ...deps }: Deps): Promise<void> {
  const text = deps.getState().own.textBox ?? '';
  if (text.length < TEXT_LENGTH) return;
  const file = textFile(pasted.complete(text));
  if (pasted.isChangedAtCut(text)) deps.dispatch(noteShown({ text: PASTE_REST_LOST }));
  if (file.size < FILE_BYTES) deps.dispatch(textBoxSent());
  await sendFile(file, deps);
}
