import { useEffect, useState } from 'react';
import { type Copy, copied, itemSaved } from '#shared/actions/outputActions.ts';
import { noteShown, textBoxClosed, textBoxEdited, textBoxOpened } from '#shared/actions/windowActions.ts';
import { betweenCharacters } from '#shared/formatText.ts';
import { useWindowState } from '../base/Picture.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';
import type { ActionEffects } from './messageActions.ts';

/** Time for which the window shows that it copied, in milliseconds. */
const COPIED_MS = 2000;
const NOT_COPIED = 'The message could not be copied: the clipboard is not allowed here.';

/** Returns the effects of the actions of messages, and whether something was just copied. */
export function useActionEffects(): { readonly effects: ActionEffects; readonly hasCopied: boolean } {
  const { dispatch, focus } = useWindowCommands();
  const draft = useWindowState('textBox');
  const [copiedAt, setCopiedAt] = useState(0);
  useEffect(() => {
    if (copiedAt === 0) return undefined;
    const timer = setTimeout(() => setCopiedAt(0), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copiedAt]);
  const copy = async (kind: Copy['kind'], { length }: string, write: Promise<void>) => {
    try {
      await write;
      dispatch(copied({ kind, length, outcome: 'copied' }));
      setCopiedAt(performance.now());
    } catch {
      dispatch(copied({ kind, length, outcome: 'failed' }));
      dispatch(noteShown({ text: NOT_COPIED }));
    }
  };
  const quote = (text: string) => {
    if (draft === null) dispatch(textBoxOpened({ text: quoteText(text) }));
    else dispatch(textBoxEdited({ text: joinDraft(draft, quoteText(text)) }));
    focus(document.querySelector<HTMLElement>('.text-box textarea'));
  };
  const edit = (id: string, text: string) => {
    // What was written is among the texts that the arrow key recalls.
    if (draft !== null) dispatch(textBoxClosed());
    dispatch(textBoxOpened({ text, edits: id }));
    focus(document.querySelector<HTMLElement>('.text-box textarea'));
  };
  const effects: ActionEffects = {
    copy: (kind, text) => void copy(kind, text, navigator.clipboard.writeText(text)),
    copyHtml: (html) => void copy('html', html, navigator.clipboard.write([htmlItem(html)])),
    quote,
    edit,
    saved: (place, outcome) => dispatch(itemSaved({ ...place, by: 'menu', outcome })),
  };
  return { effects, hasCopied: copiedAt > 0 };
}

const htmlItem = (html: string) =>
  new ClipboardItem({
    'text/html': new Blob([html], { type: 'text/html' }),
    'text/plain': new Blob([html], { type: 'text/plain' }),
  });

/** Returns a draft with a quotation after it, on a line of its own. */
export const joinDraft = (draft: string, quote: string) =>
  draft === '' || draft.endsWith('\n') ? `${draft}${quote}` : `${draft}\n${quote}`;

/** Maximum size of the quoted text: a message has fewer than 250 characters, so there is room for an answer. */
const LENGTH = 120;
const LINES = 5;

/** Returns a text as a quotation, each line after `> `, and an empty line for the answer. A long text is cut at a space or a line. */
export function quoteText(text: string): string {
  const lines = cut(text.trim())
    .split('\n')
    .map((line) => `> ${line.trim()}`.trimEnd());
  return `${lines.join('\n')}\n\n`;
}

function cut(text: string): string {
  const lines = text.slice(0, betweenCharacters(text, LENGTH)).split('\n');
  const beginning = lines.slice(0, LINES).join('\n');
  if (beginning.length === text.length) return text;
  const isAtLine = lines.length > LINES;
  const space = isAtLine ? -1 : beginning.search(/\s\S*$/u);
  return `${beginning.slice(0, space > 0 ? space : undefined).trimEnd()}…`;
}
