/** The user of the HTTP process, where the host has one. */
const SERVICE_USER = 'hostauth';
/** Every Debian has this one, which owns nothing. */
const NOBODY = 'nobody';

/**
 * The ids of `hostauth`, or else of `nobody`.
 * @param passwd the text of /etc/passwd.
 * @throws when the host has neither.
 */
export function unprivilegedUser(passwd: string): { readonly uid: number; readonly gid: number } {
  const matches = [SERVICE_USER, NOBODY].map((name) =>
    new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwd),
  );
  const [, uid, gid] = matches.find((match) => match !== null) ?? [];
  const ids = { uid: Number(uid), gid: Number(gid) };
  // NaN is refused, too.
  if (!(ids.uid > 0 && ids.gid > 0)) throw new Error(`there is no user ${SERVICE_USER} or ${NOBODY}`);
  return ids;
}
