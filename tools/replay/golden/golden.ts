import { z } from 'zod';
import { tryParseJson } from '#shared/json.ts';
import { visibleJson } from '../base/visibleText.ts';

/**
 * A golden: the expected result of a capture's replay, update by update, so that a difference is reported with the first
 * update that caused it. It is beside its capture; `goldenPath` names it. The app's store and queue make it.
 */

/** The format of every golden. The version increases when the format or its contents change: the goldens must then be written again. */
export const GOLDEN = { format: 'parley-golden', version: 3 } as const;

const count = z.int().min(0);
const anyFields = z.record(z.string(), z.unknown());

/** What has changed: the new value at each path, and the paths of removed fields. */
const changed = { changes: anyFields, removed: z.array(z.string()).optional() };

const stepSchema = z.strictObject({
  number: count,
  /** The tick that released it, milliseconds since the launch. */
  tick: z.number(),
  kind: z.string(),
  effect: z.enum(['applied', 'ignored']),
  /**
   * Since the update before: of the conversation (`person`, `messages`), of what the window derives from it (`display`), and of `arrivals`,
   * `counts`, `queue`, `unread`, `title` and `words`.
   */
  ...changed,
  notification: z.strictObject({ title: z.string(), body: z.string() }).optional(),
});

const connectionSchema = z.strictObject({
  /** The time of the change, milliseconds since the start of the recording; 0 for the first state. */
  at: z.number(),
  status: z.string(),
  closedBecause: z.string().nullable(),
  retryAt: z.number().optional(),
});

const actsSchema = z.strictObject({
  /** The time of the change, milliseconds since the start of the recording. */
  at: z.number(),
  /** Of `windows` (each window's own state), `audio`, `preferences`, `backlog`, `wasConnected` and `attention`. */
  ...changed,
});

const rejectionSchema = z.strictObject({
  /** The number of the received frame, from 1. */
  frame: count,
  reason: z.string(),
  /** The path of the field whose type is wrong. */
  where: z.string().optional(),
});

const counts = {
  received: count,
  sent: count,
  applied: count,
  ignored: count,
  rejected: z.record(z.string(), count),
};

/** The fields of every golden. */
const common = {
  format: z.literal(GOLDEN.format),
  version: z.literal(GOLDEN.version),
  hash: z.string(),
  virtualMs: z.number(),
  /** The updates that still waited, and the size of their frames. */
  queue: z.strictObject({ length: count, bytes: count }),
  connection: z.array(connectionSchema),
  acts: z.array(actsSchema),
  rejected: z.array(rejectionSchema),
  steps: z.array(stepSchema),
  /** The whole state after the end of the session and the records that follow it; missing when the session does not end. */
  ended: anyFields.optional(),
};

const parleySchema = z.strictObject({
  ...common,
  counts: z.strictObject({ ...counts, dropped: count }),
  /** The unread messages. */
  unread: count,
  /** The title of the windows. */
  title: z.string(),
  /** The words of the newest snapshot. */
  words: z.array(z.string()).readonly(),
  appliedUpdates: count,
  /** The fields of the newest snapshot that Parley does not use. */
  snapshotFields: anyFields,
});

const appSchema = z.strictObject({
  ...common,
  /** The name of another app, whose adapter made the golden. */
  app: z.string(),
  counts: z.strictObject({ ...counts, dropped: count.optional() }),
});

/** One update in a golden. */
export type GoldenStep = z.infer<typeof stepSchema>;
/** The connection from a time on. */
export type ConnectionChange = z.infer<typeof connectionSchema>;
/** A change of the state that follows from actions. */
export type ActsChange = z.infer<typeof actsSchema>;
/** The expected result of a capture. */
export type Golden = Readonly<z.infer<typeof parleySchema> | z.infer<typeof appSchema>>;

/** Returns the name of the app of a golden; `undefined` for Parley. */
export const goldenApp = (golden: Golden): string | undefined => ('app' in golden ? golden.app : undefined);

const versionSchema = z.looseObject({ format: z.literal(GOLDEN.format), version: z.number() });

/** A golden that cannot be used. */
export class GoldenError extends Error {
  override readonly name = 'GoldenError';
}

/**
 * Parses a golden.
 * @param path its file, for errors.
 * @throws {GoldenError} when the text is not a golden, or has another version.
 */
export function parseGolden(path: string, text: string): Golden {
  const faulty = (problem: string, advice = 'run verify with --update') =>
    new GoldenError(`${path}: ${problem}; ${advice}`);
  const value = tryParseJson(text);
  if (value === undefined) throw faulty('is not JSON');
  const { data: head } = versionSchema.safeParse(value);
  if (head === undefined) throw faulty('is not a golden');
  if (head.version !== GOLDEN.version)
    throw faulty(
      `has version ${head.version} of the golden format, this Parley ${GOLDEN.version}`,
      head.version > GOLDEN.version ? 'use a newer Parley' : undefined,
    );
  const checked = (head['app'] === undefined ? parleySchema : appSchema).safeParse(value);
  if (checked.success) return checked.data;
  throw faulty(`is damaged at ${checked.error.issues[0]?.path.join('.') ?? ''}`);
}

/**
 * Formats a golden with one line for each field, also of the state after the end, change of the connection and of the acts' state, rejected frame and step, so that diffs are readable. Values from frames
 * keep their order.
 */
export function goldenText({ connection, acts, rejected, steps, ended, ...head }: Golden): string {
  const lists = Object.entries({ connection, acts, rejected, steps });
  const parts = [
    ...fieldLines(head, '  '),
    ...lists.map(([name, items]) => `  "${name}": ${listText(items)}`),
    ...(ended === undefined ? [] : [`  "ended": {\n${fieldLines(ended, '    ').join(',\n')}\n  }`]),
  ];
  return visibleJson(`{\n${parts.join(',\n')}\n}\n`);
}

const listText = (items: readonly object[]): string =>
  items.length === 0 ? '[]' : `[\n${items.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`;

const fieldLines = (fields: object, indent: string): string[] =>
  Object.entries(fields).map(([key, value]) => `${indent}${JSON.stringify(key)}: ${JSON.stringify(value)}`);
