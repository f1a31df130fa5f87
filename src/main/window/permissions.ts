import { session } from 'electron';

/** A page may do nothing that needs asking: no camera, place, clipboard or notification of its own. */
export function denyPermissions(): void {
  session.defaultSession.setPermissionRequestHandler((_, __, answer) => answer(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
}
