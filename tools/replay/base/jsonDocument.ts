import { z } from 'zod';

/**
 * The last field of a document of `--json`: the version of its shape, which the schema adds. A new field does not change it; a field that changes its
 * meaning or is removed raises it.
 */
export const shapeVersion = <const V extends number>(version: V) =>
  z.literal(version).default(version).describe('the version of the shape of this document');

/** The field `capture` of a document. */
export const captureField = z.string().describe('the path of the capture, as it was given; `stdin` for `-`');

/** The field `output` of a document. */
export const outputField = z.string().describe('the path of the file that was written');

/** A number for each name. */
export const countsField = z.record(z.string(), z.number()).readonly();

/** Returns a document, or a row of NDJSON, as its schema makes it (docs/json.md): one line of JSON. */
export const jsonLine = <Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>): string =>
  `${JSON.stringify(schema.parse(value))}\n`;
