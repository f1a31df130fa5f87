/**
 * Returns the size of a page's message in characters: its texts and names. Returns `undefined` when it contains more than `mostValues`
 * values, or binary views, which have a name for each byte. Reads no more than that, so it costs little for any message: a schema would first read
 * and report every unknown key.
 */
export function boundedSize(message: unknown, mostValues: number): number | undefined {
  const waiting: unknown[] = [message];
  let values = 0;
  let size = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    values += 1;
    if (typeof value === 'string') size += value.length;
    if (typeof value !== 'object' || value === null) continue;
    if (ArrayBuffer.isView(value) || (Array.isArray(value) && value.length > mostValues)) return undefined;
    for (const name in value) {
      if (values + waiting.length >= mostValues) return undefined;
      size += name.length;
      waiting.push(Reflect.get(value, name));
    }
  }
  return size;
}
