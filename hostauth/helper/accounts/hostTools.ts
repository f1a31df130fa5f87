/** The host's own tools, by full path: nothing is looked up in a PATH. */
export interface HostTools {
  readonly useradd: string;
  readonly chpasswd: string;
  readonly userdel: string;
  readonly groupdel: string;
  readonly getent: string;
  readonly id: string;
  /** useradd's defaults: where homes are. */
  readonly defaults: string;
}

/** Where Debian has them. */
export const HOST_TOOLS: HostTools = {
  useradd: '/usr/sbin/useradd',
  chpasswd: '/usr/sbin/chpasswd',
  userdel: '/usr/sbin/userdel',
  groupdel: '/usr/sbin/groupdel',
  getent: '/usr/bin/getent',
  id: '/usr/bin/id',
  defaults: '/etc/default/useradd',
};

/** What users created here have for a shell: they can sign in to services, and nowhere else. */
export const NO_SHELL = '/usr/sbin/nologin';
