import { languageLabel } from './codeLanguage.ts';
import { highlightCode } from './highlightCode.ts';

/** How long the button says that the code is copied, in milliseconds. */
const COPIED_MS = 2000;

/**
 * Puts each block of code of sanitized markup (but none that is split into parts) into a container with a bar: the language, if the sender named one, and a button that copies the
 * code. Highlights code of a known language. The bar contains no text nodes (its words come from the style sheet), so that it is no part of the
 * message's text: of selections, copies and searches.
 * @returns a function that stops the highlighting.
 */
export function decorateCode(markup: ParentNode): () => void {
  const stops = Array.from(markup.querySelectorAll('pre:not(pre pre, .split)'), (block) => {
    const code = block.querySelector<HTMLElement>(':scope > code') ?? block;
    const language = code instanceof HTMLElement ? code.dataset['language'] : undefined;
    const container = document.createElement('div');
    container.className = 'code';
    block.replaceWith(container);
    container.append(barOf(code, language), block);
    return language === undefined ? undefined : highlightCode(code, language);
  });
  return () => {
    for (const stop of stops) stop?.();
  };
}

function barOf(code: Element, language: string | undefined): Element {
  const bar = document.createElement('div');
  bar.className = 'code-bar';
  if (language !== undefined) {
    const label = document.createElement('span');
    label.className = 'code-label';
    label.dataset['label'] = languageLabel(language);
    bar.append(label);
  }
  bar.append(copyButton(code));
  return bar;
}

function copyButton(code: Element): Element {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'code-copy';
  const say = (words: string) => {
    button.dataset['label'] = words;
    button.setAttribute('aria-label', words);
  };
  let reset: ReturnType<typeof setTimeout> | undefined;
  const copy = async () => {
    const isCopied = await writeToClipboard(code.textContent);
    say(isCopied ? 'Copied' : 'Not copied');
    clearTimeout(reset);
    reset = setTimeout(() => say('Copy'), COPIED_MS);
  };
  say('Copy');
  button.addEventListener('click', () => void copy());
  return button;
}

/** Returns whether the clipboard accepted the text: it is denied where pages have no access to it. */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
