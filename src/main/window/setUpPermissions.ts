import { session } from 'electron';
import { APP_ORIGIN } from './pages.ts';

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
