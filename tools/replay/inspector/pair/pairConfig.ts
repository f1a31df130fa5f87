import * as z from 'zod/mini';
import { elementText } from '../page/config.ts';

const text = z.string().check(z.minLength(1));

const sideSchema = z.strictObject({
  /** What the page calls the session: its file, or the revision. */
  label: text,
  /** The URL of the worker, relative to the page. */
  worker: text,
  /** The URL of the capture. */
  capture: text,
});

const pairConfigSchema = z.strictObject({
  /** What the page shows. */
  title: text,
  a: sideSchema,
  b: sideSchema,
  by: z.enum(['record', 'content']),
  /** The update or the time of the first session at which the page opens; the time is in milliseconds since the start of the recording. */
  start: z.optional(
    z.union([
      z.strictObject({ update: z.int().check(z.minimum(1)) }),
      z.strictObject({ t: z.number().check(z.minimum(0)) }),
    ]),
  ),
});

/** Reads the configuration. @throws {Error} when the element is missing or does not contain a valid configuration. */
export const readPairConfig = (page: Document): z.infer<typeof pairConfigSchema> =>
  pairConfigSchema.parse(JSON.parse(elementText(page, 'inspector-config')));
