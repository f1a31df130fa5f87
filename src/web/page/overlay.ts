import type { WindowState } from '../bridge/bridge.ts';

/** The page's state: its window's state, `stopped` without a host, `unknown` without the page's secret, `restarted` when the host does not know the page any more. */
type PageState = WindowState | 'stopped' | 'unknown' | 'restarted';

interface OverlayText {
  readonly title: string;
  readonly text: string;
  readonly button?: { readonly label: string; readonly does: keyof OverlayActions };
}

/** The actions of the overlay's button. */
interface OverlayActions {
  /** Requests the host to show the window again. */
  readonly show: () => void;
  /** Reloads the document, which gets a new window. */
  readonly reload: () => void;
  /** Looks for the host again. */
  readonly retry: () => void;
}

const closedText = (does: keyof OverlayActions): OverlayText => ({
  title: 'This window is closed.',
  text: 'The session goes on.',
  button: { label: 'Open again', does },
});

const TEXTS: Readonly<Record<Exclude<PageState, 'shown'>, OverlayText>> = {
  hidden: closedText('show'),
  closed: closedText('reload'),
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
    text: 'Run npm start again and open the address that it prints. The browser is known from then on.',
  },
  restarted: {
    title: 'Parley was started again and does not know this page.',
    text: 'Open the address that npm start printed, or run npm start again: it prints a new address. Then this page works again too.',
    button: { label: 'Try again', does: 'retry' },
  },
  stopped: {
    title: 'Parley has stopped. Start it again with npm start.',
    text: 'Then this page comes back by itself. If it does not, open the address that npm start prints.',
  },
};

/**
 * Covers a page whose window is not shown with a modal dialog: the keyboard focus and screen readers stay in it, and
 * return to their place when it closes.
 *
 *   shown ◀──▶ hidden, minimized        closed, refused: until the page loads again
 *     └──────▶ stopped, from any state; the next connection sets the state
 *   unknown, restarted: until the browser has opened an address with a token
 */
export class Overlay {
  readonly #document: Document;
  readonly #dialog: HTMLDialogElement;
  readonly #root: ShadowRoot;
  readonly #notes: HTMLElement;
  #state: PageState = 'shown';

  constructor(
    window: Window & typeof globalThis,
    private readonly actions: OverlayActions,
  ) {
    this.#document = window.document;
    const host = this.#document.createElement('parley-host');
    this.#root = host.attachShadow({ mode: 'open' });
    // The page's policy forbids inline styles; a constructed style sheet is allowed.
    const sheet = new window.CSSStyleSheet();
    sheet.replaceSync(overlayStyle);
    this.#root.adoptedStyleSheets = [sheet];
    this.#dialog = this.#document.createElement('dialog');
    this.#dialog.setAttribute('aria-labelledby', 'title');
    this.#dialog.setAttribute('aria-describedby', 'text');
    this.#dialog.tabIndex = -1;
    // Escape does not close the dialog: the window would stay hidden.
    this.#dialog.setAttribute('closedby', 'none');
    this.#dialog.addEventListener('cancel', (event) => event.preventDefault());
    this.#notes = this.#document.createElement('section');
    this.#notes.setAttribute('aria-label', 'Notifications');
    this.#notes.setAttribute('aria-live', 'polite');
    this.#root.append(this.#dialog, this.#notes);
    this.#document.documentElement.append(host);
  }

  /** Whether the page waits until the browser has opened an address with a token. */
  get isWaitingForSecret(): boolean {
    return this.#state === 'unknown' || this.#state === 'restarted';
  }

  /** Shows the state; `shown` removes the overlay. */
  show(state: PageState): void {
    this.#state = state;
    if (state === 'shown') return this.#close();
    this.#dialog.replaceChildren(...this.#contents(TEXTS[state]));
    // Elements outside of a modal dialog cannot be reached, and a note may bring the window back.
    this.#dialog.append(this.#notes);
    if (!this.#dialog.open) this.#dialog.showModal();
    (this.#dialog.querySelector<HTMLElement>(':scope > button') ?? this.#dialog).focus();
    return undefined;
  }

  /** Adds a note where it can be seen and reached. */
  addNote(note: HTMLElement): void {
    this.#notes.append(note);
  }

  #close(): void {
    this.#root.append(this.#notes);
    this.#dialog.close();
  }

  #contents({ title, text, button }: OverlayText): HTMLElement[] {
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

/** The style of the host's own elements in a page: the look of the app's dialogs, also where the app's style is not loaded. Its scheme is that of the page. */
const overlayStyle = `
:host {
  --paper: light-dark(#ffffff, #262630);
  --page: light-dark(#f6f6f9, #121217);
  --ink: light-dark(#1b1b24, #ededf3);
  --quiet: light-dark(#5b5b6c, #a6a6b6);
  --line: light-dark(#dedee7, #34343f);
  --accent: #4f46e5;
  --accent-hover: #4338ca;
  --focus: light-dark(#4338ca, #b0aeff);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
}
dialog {
  box-sizing: border-box;
  width: min(26rem, calc(100vw - 2rem));
  padding: 1.5rem;
  border: 0;
  border-radius: 1rem;
  background: var(--paper);
  color: var(--ink);
  box-shadow: 0 0 0 1px var(--line), 0 1px 2px rgb(20 20 50 / 6%), 0 8px 24px rgb(20 20 50 / 10%);
}
@media (forced-colors: active) {
  dialog {
    border: 1px solid;
  }
}
dialog:focus {
  outline: 0;
}
dialog::backdrop {
  background: color-mix(in srgb, var(--page) 94%, transparent);
}
h2 {
  margin: 0 0 1rem;
  font-size: 1.125rem;
  font-weight: 650;
  letter-spacing: -0.01em;
}
p {
  margin: 0;
  color: var(--quiet);
}
button {
  font: inherit;
  color: inherit;
  cursor: pointer;
}
button:focus-visible {
  outline: 2px solid var(--focus);
  outline-offset: 2px;
}
dialog > button {
  display: block;
  min-width: 6rem;
  min-height: 2.5rem;
  margin: 1.25rem 0 0 auto;
  padding: 0.5rem 1rem;
  border: 0;
  border-radius: 0.625rem;
  background: var(--accent);
  color: #ffffff;
  font-weight: 600;
}
dialog > button:hover {
  background: var(--accent-hover);
}
/* Below the title bar. The window's text box is at the bottom, with up to six lines and what is above it; many notes scroll above them. The padding shows their shadows. */
section {
  position: fixed;
  z-index: 2147483647;
  inset: 3rem 0 auto auto;
  box-sizing: border-box;
  display: grid;
  gap: 0.5rem;
  width: min(24rem, 100vw);
  max-height: max(6rem, calc(100vh - 20rem));
  padding: 0.5rem 1rem 1.5rem;
  overflow-y: auto;
  pointer-events: none;
  color: var(--ink);
  text-align: start;
}
section > div {
  display: flex;
  pointer-events: auto;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--paper);
  box-shadow: 0 6px 20px rgb(0 0 0 / 20%);
}
section button {
  border: 0;
  background: none;
  padding: 0.75rem 1rem;
  border-radius: 12px;
}
section button:first-child {
  flex: 1;
  min-width: 0;
  text-align: start;
  overflow-wrap: anywhere;
}
section strong,
section span {
  display: block;
}
section span {
  display: -webkit-box;
  overflow: hidden;
  color: var(--quiet);
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 4;
}
`;
