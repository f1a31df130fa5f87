import { session } from 'electron';
import { APP_ORIGIN } from './pages.ts';

const isOurs = (url: string | undefined) => url === APP_ORIGIN || url?.startsWith(`${APP_ORIGIN}/`) === true;

/**
 * Denies every permission (camera, location, clipboard, notifications, …) except one: our own page may use the microphone,
 * without the camera, while voice is on.
 */
export function setUpPermissions(isAudioOn: () => boolean): void {
  session.defaultSession.setPermissionRequestHandler((...[, permission, answer, details]) => {
    const isMicrophone =
      permission === 'media' && 'mediaTypes' in details && details.mediaTypes?.join() === 'audio';
    answer(isMicrophone && details.isMainFrame && isOurs(details.requestingUrl) && isAudioOn());
  });
  session.defaultSession.setPermissionCheckHandler(
    (...[, permission, origin, { isMainFrame, mediaType }]) => {
      return permission === 'media' && mediaType === 'audio' && isMainFrame && isOurs(origin) && isAudioOn();
    },
  );
}
