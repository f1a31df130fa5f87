/** How long a note stands, unless it is pointed at or has the focus then. */
const STANDS_MS = 10_000;

interface NoteEvents {
  readonly clicked: () => void;
  readonly removed: () => void;
}

/** A notification in the page: a button that is the notification, and one that takes it away. */
export function createNote(
  window: Window,
  { title, body }: { readonly title: string; readonly body: string },
  { clicked, removed }: NoteEvents,
) {
  const { document } = window;
  const element = document.createElement('div');
  const remove = () => {
    if (!element.isConnected) return;
    element.remove();
    removed();
  };
  const itself = document.createElement('button');
  const heading = document.createElement('strong');
  const text = document.createElement('span');
  heading.textContent = title;
  text.textContent = body;
  itself.append(heading, text);
  itself.addEventListener('click', () => {
    clicked();
    remove();
  });
  const away = document.createElement('button');
  away.setAttribute('aria-label', 'Dismiss notification');
  away.textContent = '×';
  away.addEventListener('click', remove);
  element.append(itself, away);
  const expire = () => {
    if (element.matches(':hover, :focus-within')) window.setTimeout(expire, STANDS_MS);
    else remove();
  };
  window.setTimeout(expire, STANDS_MS);
  return { element, remove };
}
