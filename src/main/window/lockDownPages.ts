import type { Clock } from '#shared/clock.ts';
import { type WebContents, app, shell, session } from 'electron';
import { join } from 'node:path';
import { APP_ORIGIN } from './servePages.ts';

/** A mouse press, a tap or Enter allows one address to be opened, within this time. */
const PRESS_MS = 1000;
const PRESSES: ReadonlySet<string> = new Set(['mouseUp', 'gestureTap']);
const SYSTEM_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

const opensInSystem = (url: string) => URL.canParse(url) && SYSTEM_PROTOCOLS.has(new URL(url).protocol);

/**
 * Prevents every page from navigating. A page can open an address only in the system's own program, and only after the
 * person pressed something.
 */
export function lockDownPages(clock: Clock): void {
  app.on('web-contents-created', (_, contents) => lockDown(contents, clock));
}

function lockDown(contents: WebContents, clock: Clock): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  const wasPressed = trackPresses(contents, clock);
  contents.setWindowOpenHandler(({ url }) => {
    if (opensInSystem(url) && wasPressed()) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

/**
 * Tracks the presses on a page, because Electron does not say whether a person requested a window.
 * @returns a function that returns whether there was a recent press; each press counts once.
 */
function trackPresses(contents: WebContents, clock: Clock): () => boolean {
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

const isOurs = (url: string | undefined) => url === APP_ORIGIN || url?.startsWith(`${APP_ORIGIN}/`) === true;

/** Writing text to the clipboard: Chromium allows it only to a page that has the focus. */
const COPY = 'clipboard-sanitized-write';

/**
 * Denies every permission (camera, location, reading the clipboard, notifications, …) except two: our own page may copy
 * text, and use the microphone, without the camera, while voice is on.
 */
export function setUpPermissions(isAudioOn: () => boolean): void {
  session.defaultSession.setPermissionRequestHandler((...[, permission, answer, details]) => {
    const isMicrophone =
      permission === 'media' && 'mediaTypes' in details && details.mediaTypes?.join() === 'audio';
    const isAllowed = permission === COPY || (isMicrophone && isAudioOn());
    answer(isAllowed && details.isMainFrame && isOurs(details.requestingUrl));
  });
  session.defaultSession.setPermissionCheckHandler(
    (...[, permission, origin, { isMainFrame, mediaType }]) => {
      const isMicrophone = permission === 'media' && mediaType === 'audio';
      const isAllowed = permission === COPY || (isMicrophone && isAudioOn());
      return isAllowed && isMainFrame && isOurs(origin);
    },
  );
}

/**
 * What the page of every window may do. Every option is listed, because Electron's defaults may change. The preload is the
 * only trusted script between our pages and main.
 */
export const WEB_PREFERENCES = {
  preload: join(import.meta.dirname, 'preload.cjs'),
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  safeDialogs: true,
  // Its dictionaries would be downloaded from another host.
  spellcheck: false,
} as const satisfies Electron.WebPreferences;
