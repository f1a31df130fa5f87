import { type WebContents, app, shell } from 'electron';
import type { Clock } from '#shared/time/clock.ts';

/** A press of the mouse, a tap or Enter stands for one address, and for so long. */
const PRESS_MS = 1000;
const PRESSES: ReadonlySet<string> = new Set(['mouseUp', 'gestureTap']);
const FOR_THE_SYSTEM: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

const isForTheSystem = (url: string) => URL.canParse(url) && FOR_THE_SYSTEM.has(new URL(url).protocol);

/** Whatever page there will ever be, it can go nowhere else, and what it opens is the system's, after a person's press. */
export function lockDownPages(clock: Clock): void {
  app.on('web-contents-created', (_, contents) => lockDown(contents, clock));
}

function lockDown(contents: WebContents, clock: Clock): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  const wasPressed = presses(contents, clock);
  contents.setWindowOpenHandler(({ url }) => {
    if (isForTheSystem(url) && wasPressed()) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

/**
 * Electron does not say whether a person asked for a window, so presses are noted as they come.
 * @returns whether there was one just now; it counts once.
 */
function presses(contents: WebContents, clock: Clock): () => boolean {
  let pressedAt = Number.NEGATIVE_INFINITY;
  contents.on('input-event', (_, { type }) => {
    if (PRESSES.has(type)) pressedAt = clock.now();
  });
  contents.on('before-input-event', (_, { type, key }) => {
    if (type === 'keyDown' && key === 'Enter') pressedAt = clock.now();
  });
  return () => {
    const isRecent = clock.now() - pressedAt <= PRESS_MS;
    pressedAt = Number.NEGATIVE_INFINITY;
    return isRecent;
  };
}
