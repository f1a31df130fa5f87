import type { Logger } from 'pino';

/** What is kept of a name, in characters. */
const NAME_LENGTH = 32;

/** What happened, for whoever has to find out later. Each is one line of the log, with `audit` as its name. */
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

/** What a line may say; there is no place for a password or a token. */
export interface AuditFields {
  /** As it came in: escaped and cut here. */
  readonly username?: string;
  /** Who asked for it, when that is somebody else. */
  readonly by?: string;
  /** Whence. */
  readonly address?: string;
  /** The inner reason, which the answer does not tell. */
  readonly reason?: string;
  /** More on the reason, as a library or a program said it: escaped, cut at 200 characters. */
  readonly detail?: string;
  /** The session's number, from 1 on since the start. */
  readonly session?: number;
  readonly slots?: number;
}

/** Writes one line. */
export type Audit = (event: AuditEvent, fields?: AuditFields) => void;

/** Events that an administrator may want to hear of. */
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
 * A name that is safe in a log and on a terminal: everything but printable ASCII is escaped, and so is the backslash;
 * at most `length` characters, and no escape cut in the middle.
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

/** The audit log on top of a logger. What happened is written before anything else happens. */
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
