import { z } from 'zod';
import { stringifyChunked } from '@discoveryjs/json-ext';

/** What the commands print for programs: the sections of docs/json.md, in the order in which their modules are loaded. */
export const JSON_DOCUMENTS: { name: string; title: string; schema: z.ZodObject }[] = [];

/**
 * Declares the document that a command prints for programs, or a row of NDJSON, and returns its schema.
 * @param name the heading of its section in docs/json.md: a command, or a command and its options.
 * @param title what it is, after “is”.
 */
export function jsonRow<Shape extends z.ZodRawShape>(name: string, title: string, shape: Shape) {
  const schema = z.object(shape);
  JSON_DOCUMENTS.push({ name, title, schema });
  return schema;
}

/** Declares a document of `--json` as {@link jsonRow} does, with the version of its shape. */
export const jsonDocument = <Shape extends z.ZodRawShape>(name: string, title: string, shape: Shape) =>
  jsonRow(name, title, { ...shape, version: shapeVersion });

/** The last field of a document: the version of its shape. A new field keeps it; a changed meaning or a removed field raises it. */
export const shapeVersion = z.literal(1).default(1).describe('the version of the shape of this document');

/** Creates the schemas of fields, each with its meaning. */
export const field = {
  text: (meaning: string) => z.string().describe(meaning),
  number: (meaning: string) => z.number().describe(meaning),
  flag: (meaning: string) => z.boolean().describe(meaning),
  choice: <const Names extends readonly string[]>(names: Names, meaning: string) =>
    z.enum(names).describe(meaning),
  texts: (meaning: string) => z.array(z.string()).readonly().describe(meaning),
  counts: (meaning: string) => z.record(z.string(), z.number()).readonly().describe(meaning),
  object: <Shape extends z.ZodRawShape>(meaning: string, shape: Shape) => z.object(shape).describe(meaning),
  list: <Shape extends z.ZodRawShape>(meaning: string, shape: Shape) =>
    z.array(z.object(shape)).readonly().describe(meaning),
};

/** Creates the schemas of fields that can be missing. */
export const optional = {
  text: (meaning: string) => field.text(meaning).optional(),
  number: (meaning: string) => field.number(meaning).optional(),
  flag: (meaning: string) => field.flag(meaning).optional(),
  choice: <const Names extends readonly string[]>(names: Names, meaning: string) =>
    field.choice(names, meaning).optional(),
  texts: (meaning: string) => field.texts(meaning).optional(),
  any: (meaning: string) => z.unknown().optional().describe(meaning),
  object: <Shape extends z.ZodRawShape>(meaning: string, shape: Shape) =>
    field.object(meaning, shape).optional(),
  list: <Shape extends z.ZodRawShape>(meaning: string, shape: Shape) => field.list(meaning, shape).optional(),
};

export const captureField = field.text('the path of the capture, as it was given; `stdin` for `-`');
export const outputField = field.text('the path of the file that was written');
export const stepField = field.number('the number of the step, as the inspector shows it');
export const timeField = field.number('its time, milliseconds since the start of the recording');

/** The first fields of a document about a session. */
export const sessionFields = {
  capture: captureField,
  app: optional.text('the name of the app of `--app`'),
};

/** Returns a document, or a row of NDJSON, as its schema makes it: one line of JSON. */
export const jsonLine = <Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>): string =>
  `${JSON.stringify(schema.parse(value))}\n`;

/** Returns the line of a document that can be large, in pieces. */
export function* jsonPieces<Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>) {
  yield* stringifyChunked(schema.parse(value));
  yield '\n';
}
