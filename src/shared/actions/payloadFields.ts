import { z } from 'zod';

/** Returns the fields of the payload with a schema, as docs/actions.md names them, or its description; an empty text when there is none. */
export function payloadFields(schema: unknown): string {
  if (schema === undefined || schema instanceof z.ZodUndefined) return '';
  if (!(schema instanceof z.ZodType)) throw new TypeError('a schema of zod is expected');
  if (schema.description !== undefined) return schema.description;
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape).join(', ');
  if (schema instanceof z.ZodReadonly || schema instanceof z.ZodNullable)
    return payloadFields(schema.unwrap());
  if (!(schema instanceof z.ZodUnion)) throw new TypeError('the payload of an action needs a description');
  return [...new Set(schema.options.flatMap((option) => payloadFields(option).split(', ')))].join(', ');
}
