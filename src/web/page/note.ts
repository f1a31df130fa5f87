/** How long a note is shown, in milliseconds. It stays while it is hovered or focused. */
const SHOWN_MS = 10_000;

interface NoteEvents {
  readonly clicked: () => void;
  readonly removed: () => void;
}

/** Creates a notification in the page: a button with its text, and a button that dismisses it. */
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
  const textButton = document.createElement('button');
  const heading = document.createElement('strong');
  const text = document.createElement('span');
  heading.textContent = title;
  text.textContent = body;
  for (const part of [heading, text]) part.dir = 'auto';
  textButton.append(heading, text);
  textButton.addEventListener('click', () => {
    clicked();
    remove();
  });
  const dismissButton = document.createElement('button');
  dismissButton.setAttribute('aria-label', 'Dismiss notification');
  dismissButton.textContent = '×';
  dismissButton.addEventListener('click', remove);
  element.append(textButton, dismissButton);
  const expire = () => {
    if (element.matches(':hover, :focus-within')) window.setTimeout(expire, SHOWN_MS);
    else remove();
  };
  window.setTimeout(expire, SHOWN_MS);
  return { element, remove };
}
