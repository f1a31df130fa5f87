/** A JSON object whose properties have not been validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a JSON value is an object: not an array and not `null`. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
