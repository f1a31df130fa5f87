import type { UsersMode } from '../../base/config.ts';
import type { AdministratorState, NewUser, UserCreation } from '../../link/helperProtocol.ts';
import { mayReachPam } from '../pam/mayReachPam.ts';
import { nameFault } from './nameFault.ts';
import type { CreationQueue } from './creationQueue.ts';

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
