import { z } from 'zod';

/** The media type of every error. */
export const PROBLEM_JSON = 'application/problem+json';

/**
 * The bodies of requests and answers (contract §8): the service validates them, its OpenAPI document describes them, and
 * its client has their types. Nothing is coerced; unknown fields are refused.
 */
export const credentialsSchema = z.strictObject({ username: z.string(), password: z.string() });

/** The answer to a sign-in. */
export const tokenSchema = z.strictObject({
  token: z.string(),
  token_type: z.literal('Bearer'),
  username: z.string(),
  /** The end of the session if it is not used before. */
  expires_at: z.iso.datetime(),
});

/** The user of a session. */
export const meSchema = z.strictObject({ username: z.string(), expires_at: z.iso.datetime() });

/** The live sessions. Never a token. */
export const sessionListSchema = z.strictObject({
  sessions: z.array(
    z.strictObject({
      /** Its number since the start of the service, from 1, as in the audit log. */
      session: z.int(),
      username: z.string(),
      started_at: z.iso.datetime(),
      /** Where the sign-in came from. */
      address: z.string(),
    }),
  ),
});

/** A created user. */
export const userSchema = z.strictObject({ username: z.string() });

/** Any error (RFC 9457). */
export const problemSchema = z.strictObject({ type: z.string(), title: z.string(), status: z.int() });

/** A name and a password. */
export type Credentials = z.infer<typeof credentialsSchema>;
/** The answer to a sign-in. */
export type Token = z.infer<typeof tokenSchema>;
/** The account of a token. */
export type Me = z.infer<typeof meSchema>;
/** The live sessions. */
export type SessionList = z.infer<typeof sessionListSchema>;
/** A created user. */
export type User = z.infer<typeof userSchema>;
/** The body of an error (RFC 9457). */
export type ProblemBody = z.infer<typeof problemSchema>;

/** Describes the errors of a call, for the `response` of a route's schema. */
export const problemResponses = (...statuses: readonly number[]) =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: 'A problem', content: { [PROBLEM_JSON]: { schema: problemSchema } } },
    ]),
  );
