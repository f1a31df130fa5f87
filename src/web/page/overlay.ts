import type { WindowState } from '../bridge/bridge.ts';
import { overlayStyle } from './overlayStyle.ts';

/** What the page says of itself: its window's state, that the host has gone, or that the page has no secret. */
export type PageState = WindowState | 'stopped' | 'unknown';

interface Words {
  readonly title: string;
  readonly text: string;
  readonly button?: { readonly label: string; readonly does: keyof OverlayActions };
}

/** What the overlay's button may do. */
export interface OverlayActions {
  /** Asks the host to show the window again. */
  readonly show: () => void;
  /** Begins anew with a fresh document, and with it a fresh window. */
  readonly reload: () => void;
}

const closedWords = (does: keyof OverlayActions): Words => ({
  title: 'This window is closed.',
  text: 'The session goes on.',
  button: { label: 'Open again', does },
});

const WORDS: Readonly<Record<Exclude<PageState, 'shown'>, Words>> = {
  hidden: closedWords('show'),
  closed: closedWords('reload'),
  minimized: {
    title: 'This window is minimised.',
    text: 'The session goes on.',
    button: { label: 'Restore', does: 'show' },
  },
  refused: {
    title: 'There is no window for this page.',
    text: 'Parley is open on another page.',
    button: { label: 'Try again', does: 'reload' },
  },
  unknown: {
    title: 'Parley does not know this browser.',
    text: 'Run `npm start` again and open the address that it prints. The browser is known from then on.',
  },
  stopped: {
    title: 'Parley has stopped. Start it again with `npm start`.',
    text: 'If this page does not come back by itself, use the address that `npm start` prints.',
  },
};

/**
 * What stands over a page whose window is not there to be seen: a modal dialog, so that the keyboard and screen
 * readers stay with it, and go back to where they were when it goes.
 *
 *   shown ◀──▶ hidden, minimized        closed, refused: until the page loads again
 *     └──────▶ stopped, from anywhere; the next connection says what is the case
 *   unknown: until the browser has opened an address with a token
 */
export class Overlay {
  readonly #document: Document;
  readonly #dialog: HTMLDialogElement;
  readonly #root: ShadowRoot;
  readonly #notes: HTMLElement;

  constructor(
    window: Window & typeof globalThis,
    private readonly actions: OverlayActions,
  ) {
    this.#document = window.document;
    const host = this.#document.createElement('parley-host');
    this.#root = host.attachShadow({ mode: 'open' });
    // The page's policy forbids inline styles, and allows this.
    const sheet = new window.CSSStyleSheet();
    sheet.replaceSync(overlayStyle);
    this.#root.adoptedStyleSheets = [sheet];
    this.#dialog = this.#document.createElement('dialog');
    this.#dialog.setAttribute('aria-labelledby', 'title');
    this.#dialog.setAttribute('aria-describedby', 'text');
    this.#dialog.tabIndex = -1;
    // Escape dismisses nothing: the window would stay as it is.
    this.#dialog.setAttribute('closedby', 'none');
    this.#dialog.addEventListener('cancel', (event) => event.preventDefault());
    this.#notes = this.#document.createElement('section');
    this.#notes.setAttribute('aria-label', 'Notifications');
    this.#notes.setAttribute('aria-live', 'polite');
    this.#root.append(this.#dialog, this.#notes);
    this.#document.documentElement.append(host);
  }

  /** Shows the state; `shown` takes the overlay away. */
  show(state: PageState): void {
    if (state === 'shown') return this.#close();
    this.#dialog.replaceChildren(...this.#contents(WORDS[state]));
    // What is outside of a modal dialog cannot be reached, and a note may be what brings the window back.
    this.#dialog.append(this.#notes);
    if (!this.#dialog.open) this.#dialog.showModal();
    (this.#dialog.querySelector<HTMLElement>(':scope > button') ?? this.#dialog).focus();
    return undefined;
  }

  /** Puts a note where it can be seen and reached, and gives the way to take it away. */
  addNote(note: HTMLElement): void {
    this.#notes.append(note);
  }

  #close(): void {
    this.#root.append(this.#notes);
    this.#dialog.close();
  }

  #contents({ title, text, button }: Words): HTMLElement[] {
    const parts = [this.#element('h2', title), this.#element('p', text)];
    parts.forEach((part, at) => part.setAttribute('id', at === 0 ? 'title' : 'text'));
    if (button === undefined) return parts;
    const element = this.#element('button', button.label);
    element.addEventListener('click', () => this.actions[button.does]());
    return [...parts, element];
  }

  #element(tag: 'h2' | 'p' | 'button', text: string): HTMLElement {
    const element = this.#document.createElement(tag);
    element.textContent = text;
    return element;
  }
}
