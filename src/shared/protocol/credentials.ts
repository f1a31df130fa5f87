import { EMAIL_LENGTH, NAME_LENGTH, PASSWORD_LENGTH } from '../limits.ts';

/** The sign-in form's fields, and the body of the platform's `POST /auth` (spec §2.1). An empty name means login. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

export const FORM_HINT = 'Log in, or enter a name to register.';
export const EMAIL_ERROR = 'Not a valid email.';
export const PASSWORD_ERROR = 'Password must be 6 to 16 long, with a symbol and a number.';
export const NAME_ERROR = 'Name must be at least 5 long.';
/** Shown when the platform does not answer a request (spec §7). */
export const NO_RESPONSE_ERROR = "Can't connect to the server.";
/** Shown for any other failure. The spelling is the specification's (spec §7). */
export const UNKNOWN_ERROR = 'Unknown error occured.';

/** One label of a domain name: the HTML standard's, in any script. */
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`;
/** The HTML standard's pattern of a valid email address, with international domains (spec §2.1). */
const EMAIL = new RegExp(String.raw`^[a-zA-Z0-9.!#$%&'*+/=?^_\x60{|}~-]+@${LABEL}(?:\.${LABEL})*$`, 'u');
const PASSWORD = new RegExp(
  `^(?=.*[0-9])(?=.*[!@#$%^&*])[A-Za-z0-9!@#$%^&*]{${PASSWORD_LENGTH.min},${PASSWORD_LENGTH.max}}$`,
);
const NAME = new RegExp(`^[\\p{L}\\p{M} ]{${NAME_LENGTH.min},${NAME_LENGTH.max}}$`, 'u');

/**
 * Returns the form's first error in the order email, password, name (spec §7), or `null` when it can be submitted.
 */
export function credentialsError({ email, password, name }: Credentials): string | null {
  if (email.length > EMAIL_LENGTH || !EMAIL.test(email)) return EMAIL_ERROR;
  if (!PASSWORD.test(password)) return PASSWORD_ERROR;
  if (name !== '' && !NAME.test(name)) return NAME_ERROR;
  return null;
}
