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

function ownCalls(stack: string, { script, lines }: Places): string {
  const isOwn = (url = '') => script === undefined || url.endsWith(script);
  const calls = stack.split('\n').map((text) => {
    const { groups } = CALL.exec(text) ?? {};
    if (groups === undefined) return { text, isCall: false, isOwn: false };
    const place = isOwn(groups['url']) ? lines[Number(groups['line'])] : undefined;
    if (place === undefined) return { text, isCall: true, isOwn: false };
    const { name } = groups;
    return { text: `    at ${name === undefined ? place : `${name} (${place})`}`, isCall: true, isOwn: true };
  });
  if (!calls.some((call) => call.isOwn)) return stack;
  return calls
    .filter((call) => call.isOwn || !call.isCall)
    .map(({ text }) => text)
    .join('\n');
}
