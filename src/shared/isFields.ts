/** A JSON object's fields, before anybody knows what they are. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object: no list, and not `null`. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
