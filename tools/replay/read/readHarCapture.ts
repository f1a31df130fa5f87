import {
  CAPTURE_FORMAT,
  CAPTURE_VERSION,
  type CaptureHeader,
  type CaptureRecord,
} from '#shared/capture/format.ts';
import { CaptureError } from './captureError.ts';
import { STDIN, captureName } from './stdin.ts';
import { harRecords } from './harRecords.ts';
import { type Har, type HarSocket, readHar } from './readHar.ts';
import { socketLabel } from './socketLabel.ts';

/** A HAR as a capture, with the same three parts as a capture file. */
interface HarCapture {
  readonly header: CaptureHeader;
  records(): AsyncGenerator<readonly CaptureRecord[], void>;
  readonly warnings: readonly string[];
}

interface HarOptions {
  readonly socket?: number | undefined;
  /** The HAR's text, when it has already been read. */
  readonly text?: string;
}

/** The creator in a HAR that Parley wrote. */
export const HAR_CREATOR = 'Parley';

/** Returns whether a path names a HAR, including a zipped one (which is refused when it is read). */
export const isHar = (path: string): boolean => /\.har(?:\.zip)?$/i.test(path);

/**
 * Reads a WebSocket of a HAR as a capture: its only one, or number `socket` (from 1). The sockets of a HAR that Parley
 * exported are one session and stay together.
 * @throws {CaptureError} when there are several and `socket` is missing, or the HAR cannot be used.
 */
export async function readHarCapture(
  path: string,
  { socket: number, text }: HarOptions = {},
): Promise<HarCapture> {
  const har = await readHar(path, text);
  const { name, version } = har.creator;
  const isOurs = name === HAR_CREATOR && number === undefined;
  const made = isOurs ? harRecords(har.sockets, har) : harRecords([socketOf(har, number)]);
  const header: CaptureHeader = {
    format: CAPTURE_FORMAT,
    version: CAPTURE_VERSION,
    startedAt: new Date(made.startedAt).toISOString(),
    app: name === HAR_CREATOR ? version : `${name} ${version}`.trim(),
  };
  return {
    header,
    async *records() {
      yield made.records;
    },
    warnings: made.unknownTimes === 0 ? [] : [unknownTimes(har.path, made.unknownTimes)],
  };
}

const unknownTimes = (path: string, count: number) =>
  `${path}: ${count} ${count === 1 ? 'message has' : 'messages have'} no time; the order is kept, the times are not the recorded ones`;

function socketOf({ path, sockets }: Har, number: number | undefined): HarSocket {
  const socket = sockets[(number ?? 1) - 1];
  if (socket !== undefined && (number !== undefined || sockets.length === 1)) return socket;
  const list = sockets.map((one, i) => `${i + 1}: ${socketLabel(one)}`).join('; ');
  throw new CaptureError(
    number === undefined
      ? `${path}: contains ${sockets.length} WebSockets (${list}); select one with \`import ${path === captureName(STDIN) ? STDIN : path} --socket <n>\``
      : `${path}: has no WebSocket ${number} (${list})`,
  );
}
