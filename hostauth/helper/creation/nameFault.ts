/** The names of new users (contract §8). Debian's useradd itself accepts `..` and `x;y`. */
const NAME = /^[a-z][a-z0-9_-]{0,31}$/;

/**
 * Names that are refused even if they are free. A new user gets a group of its name: on a host without a group `wheel` or
 * `docker`, such a user would be its first member when a package or a line of sudoers gives the group rights later.
 */
const RESERVED: ReadonlySet<string> = new Set(
  `
  root toor sudo wheel admin administrator operator staff shadow adm disk hostauth
  docker podman lxd lxc incus incus-admin libvirt kvm kmem mem netdev plugdev lpadmin sambashare wireshark
  tty dialout cdrom floppy tape render sgx fuse input video audio voice fax crontab ssl-cert utmp sasl src
  daemon bin sys sync halt shutdown reboot games man lp mail news uucp proxy www-data backup list irc gnats
  nobody nogroup users localhost messagebus dbus polkitd ssh sshd rtkit avahi colord geoclue tss uuidd
  dnsmasq postfix postdrop exim dovecot named bind ntp chrony rpc statd nginx apache mysql postgres redis
  mongodb memcached ftp git pulse gdm sddm lightdm
  `
    .trim()
    .split(/\s+/),
);
/** The names of systemd's services and of Debian's packages. */
const RESERVED_STARTS = ['systemd-', 'debian-'];

/** Why a name cannot be that of a new user, whether or not it is taken. */
type NameFault = 'unusable' | 'reserved';

/**
 * Checks the name of a new user; `undefined` when it is valid.
 * @param adminGroup its members create users: the group of a new user must never be it.
 */
export function nameFault(name: string, adminGroup: string): NameFault | undefined {
  if (!NAME.test(name) || name.endsWith('-')) return 'unusable';
  const isReserved =
    RESERVED.has(name) || name === adminGroup || RESERVED_STARTS.some((start) => name.startsWith(start));
  return isReserved ? 'reserved' : undefined;
}
