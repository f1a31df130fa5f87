/** The user of the HTTP process, if the host has it. */
const SERVICE_USER = 'hostauth';
/** Exists on every Debian and owns nothing. */
const NOBODY = 'nobody';

/**
 * Returns the ids of `hostauth`, or of `nobody` where there is no `hostauth`.
 * @param passwd the text of /etc/passwd.
 * @throws when neither exists.
 */
export function unprivilegedUser(passwd: string): { readonly uid: number; readonly gid: number } {
  const matches = [SERVICE_USER, NOBODY].map((name) =>
    new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwd),
  );
  const [, uid, gid] = matches.find((match) => match !== null) ?? [];
  const ids = { uid: Number(uid), gid: Number(gid) };
  // Refuses NaN, too.
  if (!(ids.uid > 0 && ids.gid > 0)) throw new Error(`there is no user ${SERVICE_USER} or ${NOBODY}`);
  return ids;
}
