/** The tools of the host, by full path: PATH is not used. */
export interface HostTools {
  readonly useradd: string;
  readonly chpasswd: string;
  readonly userdel: string;
  readonly groupdel: string;
  readonly getent: string;
  readonly id: string;
  /** The defaults of useradd, which name the folder of homes. */
  readonly defaults: string;
}

/** The paths on Debian. */
export const HOST_TOOLS: HostTools = {
  useradd: '/usr/sbin/useradd',
  chpasswd: '/usr/sbin/chpasswd',
  userdel: '/usr/sbin/userdel',
  groupdel: '/usr/sbin/groupdel',
  getent: '/usr/bin/getent',
  id: '/usr/bin/id',
  defaults: '/etc/default/useradd',
};

/** The shell of users created here: they can sign in to services only. */
export const NO_SHELL = '/usr/sbin/nologin';
