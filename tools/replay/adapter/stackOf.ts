/** The places in the sources of an app's code, which its bundled script provides in the browser. */
export interface Places {
  /** The name of the script; any when omitted. */
  readonly script?: string;
  /** The place of a line of the script, as `app/board.ts:37`. The lines of packages have none. */
  readonly lines: Readonly<Record<number, string>>;
}

/** The global variable with the {@link Places}. */
export const PLACES = 'replayPlaces';

/**
 * Returns the stack of an exception, which begins with its name and message. In the browser, it contains the calls in the app's sources only, if
 * there are any.
 */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? `${error.name}: ${error.message}`;
  const places: unknown = Reflect.get(globalThis, PLACES);
  return isPlaces(places) ? ownCalls(stack, places) : stack;
}

// The script of the app sets it.
const isPlaces = (value: unknown): value is Places => value !== undefined;

const CALL = /^ +at (?:(?<name>.+) \()?(?<url>\S+?):(?<line>\d+):\d+\)?$/;

function ownCalls(stack: string, { script = '', lines }: Places): string {
  const kept: string[] = [];
  let hasOwn = false;
  for (const text of stack.split('\n')) {
    const { groups } = CALL.exec(text) ?? {};
    const { name, url = '', line } = groups ?? {};
    const place = url.endsWith(script) ? lines[Number(line)] : undefined;
    if (groups === undefined) kept.push(text);
    else if (place !== undefined) kept.push(`    at ${name === undefined ? place : `${name} (${place})`}`);
    hasOwn ||= place !== undefined;
  }
  return hasOwn ? kept.join('\n') : stack;
}
