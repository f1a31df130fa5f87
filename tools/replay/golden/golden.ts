import { z } from 'zod';
import { tryParseJson } from '#shared/tryParseJson.ts';

/**
 * A golden: what a capture's replay came to, update by update, so that a replay that comes to something else is told by
 * the first update that did it. It stands beside its capture as `x.golden.json`.
 */

export const GOLDEN_FORMAT = 'parley-golden';
/** Another form of the file, or of what stands in it, takes another number: goldens are then written again. */
export const GOLDEN_VERSION = 1;

const count = z.int().min(0);
const fields = z.record(z.string(), z.unknown());

const stepSchema = z.strictObject({
  number: count,
  /** When it was released, milliseconds since the launch. */
  tick: z.number(),
  kind: z.string(),
  effect: z.enum(['applied', 'ignored']),
  /** Path to the new value, for each place of the conversation that it changed. */
  changes: fields,
  /** Paths of fields that are no more. */
  removed: z.array(z.string()).optional(),
  notification: z.strictObject({ title: z.string(), body: z.string() }).optional(),
});

const rejectionSchema = z.strictObject({
  /** The number of the received frame, from 1. */
  frame: count,
  reason: z.string(),
  /** The path of the field whose type is wrong. */
  where: z.string().optional(),
});

const goldenSchema = z.strictObject({
  format: z.literal(GOLDEN_FORMAT),
  version: z.literal(GOLDEN_VERSION),
  hash: z.string(),
  frames: z.strictObject({ received: count, sent: count, dropped: count, rejected: count }),
  updates: z.strictObject({ applied: count, ignored: count }),
  virtualMs: z.number(),
  connection: fields,
  rejected: z.array(rejectionSchema),
  steps: z.array(stepSchema),
});

/** One update, as a golden holds it. */
export type GoldenStep = Readonly<z.infer<typeof stepSchema>>;
/** A frame that was no update. */
export type Rejection = Readonly<z.infer<typeof rejectionSchema>>;
export type Golden = Readonly<Omit<z.infer<typeof goldenSchema>, 'rejected' | 'steps'>> & {
  readonly rejected: readonly Rejection[];
  readonly steps: readonly GoldenStep[];
};
/** What a golden says of the end. */
export type GoldenEnd = Omit<Golden, 'format' | 'version' | 'rejected' | 'steps'>;

const versionSchema = z.looseObject({ format: z.literal(GOLDEN_FORMAT), version: z.number() });

/** A golden that cannot be used; `message` says why, without the file's name. */
export class GoldenError extends Error {
  override readonly name = 'GoldenError';
}

/**
 * A golden's text to what it says.
 * @throws {GoldenError} when it is none, or of another version.
 */
export function parseGolden(text: string): Golden {
  const value = tryParseJson(text);
  if (value === undefined) throw new GoldenError('is not JSON; run verify with --update');
  const versioned = versionSchema.safeParse(value);
  if (!versioned.success) throw new GoldenError('is not a golden; run verify with --update');
  const { version } = versioned.data;
  if (version !== GOLDEN_VERSION) {
    throw new GoldenError(
      `has version ${version} of the golden format, this Parley ${GOLDEN_VERSION}; run verify with --update`,
    );
  }
  const checked = goldenSchema.safeParse(value);
  if (checked.success) return checked.data;
  const place = checked.error.issues[0]?.path.join('.') ?? '';
  throw new GoldenError(`is damaged at ${place}; run verify with --update`);
}
