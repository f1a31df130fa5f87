import { session } from 'electron';
import { APP_ORIGIN } from './pages.ts';

const isOurs = (url: string | undefined) => url === APP_ORIGIN || url?.startsWith(`${APP_ORIGIN}/`) === true;

/**
 * A page may do nothing that needs asking: no camera, place, clipboard or notification of its own. But for one thing:
 * ours may have the microphone, alone, while voice is on.
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
