import type { Logger } from 'pino';

/** The longest name in the log, in characters. */
const NAME_LENGTH = 32;

/** The events of the audit log. Each is one line of the log, with the event in `audit`. */
export type AuditEvent =
  | 'service started'
  | 'service stopped'
  | 'sign-in succeeded'
  | 'sign-in failed'
  | 'sign-in throttled'
  | 'sign-in unavailable'
  | 'session created'
  | 'session expired'
  | 'session ended'
  | 'sessions not shown'
  | 'capacity reached'
  | 'user created'
  | 'user not created'
  | 'user rolled back'
  | 'user not rolled back';

/** The fields of a line. None of them holds a password or a token. */
export interface AuditFields {
  /** As received: escaped and shortened here. */
  readonly username?: string;
  /** The user who asked for it, if another one. */
  readonly by?: string;
  /** The address of the client. */
  readonly address?: string;
  /** The reason that the answer does not contain. */
  readonly reason?: string;
  /** The message of a library or a program: escaped, shortened to 200 characters. */
  readonly detail?: string;
  /** The session's number, from 1 on since the start. */
  readonly session?: number;
  readonly slots?: number;
}

/** Writes one line. */
export type Audit = (event: AuditEvent, fields?: AuditFields) => void;

/** Events that an administrator should see. */
const WARNINGS: ReadonlySet<AuditEvent> = new Set<AuditEvent>([
  'sign-in failed',
  'sign-in throttled',
  'sign-in unavailable',
  'capacity reached',
  'sessions not shown',
  'user not created',
  'user rolled back',
]);

/**
 * Makes a name safe for a log and a terminal: escapes everything but printable ASCII, and the backslash. The result has
 * at most `length` characters and ends with a whole escape.
 */
export function escapeName(name: string, length: number = NAME_LENGTH): string {
  let escaped = '';
  for (const character of name) {
    const piece = escapeCharacter(character);
    if (escaped.length + piece.length > length) break;
    escaped += piece;
  }
  return escaped;
}

const escapeCharacter = (character: string) =>
  /^[ -[\]-~]$/.test(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Creates the audit log of a logger. Each line is written before the call returns. */
export const createAudit =
  (logger: Logger): Audit =>
  (event, { username, by, detail, ...fields } = {}) => {
    logger[levelOf(event)](
      {
        audit: event,
        ...(username === undefined ? {} : { username: escapeName(username) }),
        ...(by === undefined ? {} : { by: escapeName(by) }),
        ...(detail === undefined ? {} : { detail: escapeName(detail, 200) }),
        ...fields,
      },
      event,
    );
    logger.flush();
  };

function levelOf(event: AuditEvent): 'info' | 'warn' | 'error' {
  if (event === 'user not rolled back') return 'error';
  return WARNINGS.has(event) ? 'warn' : 'info';
}
