import { E_CANCELED, Mutex } from 'async-mutex';
import type { UsersMode } from '../../base/config.ts';
import type { AdministratorState, NewUser, UserCreation } from '../../link/helperProtocol.ts';
import { type CreateOptions, type Creation, type NewAccount, createAccount } from './createAccount.ts';
import { mayReachPam } from '../pam/pamMessages.ts';

/** The options of `createUser`. */
interface CreationOptions {
  readonly users: UsersMode;
  /** The group whose members may create users. No new user may have its name. */
  readonly adminGroup: string;
  readonly creations: CreationQueue;
  readonly administratorState: (account: string) => Promise<AdministratorState>;
}

/** Creates a user when the mode allows it, its caller may, and its name and password can be those of a new user. */
export async function createUser(user: NewUser, options: CreationOptions): Promise<UserCreation> {
  const refusal = await refusalOf(user, options);
  if (refusal !== undefined) return refusal;
  const { username: name, password } = user;
  const fault = nameFault(name, options.adminGroup);
  if (fault !== undefined) return { kind: 'refused', reason: fault };
  // The user must be able to sign in with it; in the input of chpasswd, a line end would begin the line of another user.
  if (password === '' || !mayReachPam(user)) return { kind: 'refused', reason: 'password' };
  // The creation may wait: the caller must still be an administrator when it begins.
  return options.creations.create({ name, password }, () => refusalOf(user, options));
}

async function refusalOf({ account }: NewUser, options: CreationOptions): Promise<UserCreation | undefined> {
  if (options.users === 'off') return { kind: 'refused', reason: 'off' };
  if (options.users === 'open') return undefined;
  if (account === null) return { kind: 'refused', reason: 'not-administrator' };
  const answer = await options.administratorState(account);
  if (answer.state === 'ended') return { kind: 'ended', reason: answer.reason };
  if (answer.state === 'unknown') return { kind: 'unavailable', detail: answer.detail };
  if (answer.state === 'other') return { kind: 'refused', reason: 'not-administrator' };
  return undefined;
}

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

/*
 * Users are created one after the other: useradd checks whether a name is free before it locks the account files. Two of them
 * at once would both succeed with the same name, and the second password would be that of the first user.
 *
 *   create ──▶ waiting ──▶ running ──▶ ended
 *     │           └ close ──▶ closing (refused)
 *     └ queue full ──▶ full (refused)
 */

/** The most creations that wait. */
const WAITING = 16;

/** Creates users of the host, one at a time. */
export interface CreationQueue {
  /**
   * Creates a user when all earlier creations have ended.
   * @param refuse called just before; its result, if it has one, is returned instead.
   */
  create<R = never>(
    account: NewAccount,
    refuse?: () => Promise<R | undefined>,
  ): Promise<Creation | R | { readonly kind: 'full' | 'closing' }>;
  /** Refuses the creations that wait. */
  cancelWaiting(): void;
  /** Refuses those and later ones; resolves when the creation in progress has ended or is rolled back. */
  close(): Promise<void>;
}

/** Creates the queue of creations. */
export function createCreationQueue(options: CreateOptions): CreationQueue {
  const mutex = new Mutex();
  let queued = 0;
  let cancels = 0;
  let isClosing = false;

  async function createNext<R>(
    account: NewAccount,
    refuse: () => Promise<R | undefined>,
  ): Promise<Creation | R | { readonly kind: 'closing' }> {
    try {
      return await mutex.runExclusive(async () => {
        const cancelsBefore = cancels;
        const refusal = await refuse();
        if (refusal !== undefined) return refusal;
        // The lookups may have taken long: a creation that has not begun must not delay the end.
        return cancels === cancelsBefore ? createAccount(account, options) : { kind: 'closing' };
      });
    } catch (error) {
      if (error === E_CANCELED) return { kind: 'closing' };
      throw error;
    }
  }

  function cancelWaiting(): void {
    cancels++;
    mutex.cancel();
  }

  return {
    async create(account, refuse = async () => undefined) {
      if (isClosing) return { kind: 'closing' };
      if (queued > WAITING) return { kind: 'full' };
      queued++;
      return createNext(account, refuse).finally(() => queued--);
    },
    cancelWaiting,
    async close() {
      isClosing = true;
      cancelWaiting();
      await mutex.waitForUnlock();
    },
  };
}
