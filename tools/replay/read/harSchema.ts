import { z } from 'zod';
import { QUEUE_TICK_MS } from '#shared/limits.ts';

/** The largest time that a `Date` can have, milliseconds. */
const LAST_TIME = 8.64e15;

/** One message of a WebSocket, as Chrome, mitmproxy and Playwright write it. */
export const harMessageSchema = z.object({
  type: z.enum(['send', 'receive', 'error']),
  /** Seconds since the epoch, or milliseconds (Playwright); -1 when it is missing. */
  time: z
    .number()
    .max(LAST_TIME)
    .nullish()
    .transform((time) => time ?? -1),
  opcode: z.number(),
  data: z.string(),
  /** Our own field: the snapshot with which a capture begins in the middle of a session. */
  _synthetic: z.literal(true).optional(),
});

/** A WebSocket message of a HAR. */
export type HarMessage = z.infer<typeof harMessageSchema>;

/** Our own field of a HAR: the time of the session's launch, milliseconds since the start of the recording. */
export const LAUNCH_FIELD = '_parleyLaunch';

/** Our own field of a HAR: the session's late releases, which captures have as records. */
export const RELEASES_FIELD = '_parleyReleases';

const tickSchema = z.int().nonnegative().multipleOf(QUEUE_TICK_MS);

/** The parts of a HAR that are read. Other entries are not checked. */
export const harSchema = z.object({
  log: z.object({
    creator: z.object({ name: z.string(), version: z.string() }).optional(),
    pages: z.array(z.object({ startedDateTime: z.string() })).optional(),
    entries: z.array(z.looseObject({})),
    [LAUNCH_FIELD]: z.number().min(0).max(LAST_TIME).optional(),
    [RELEASES_FIELD]: z
      .array(
        z.object({
          t: z.number().min(0).max(LAST_TIME),
          update: z.int(),
          due: tickSchema,
          tick: tickSchema,
        }),
      )
      .optional(),
  }),
});

/** How a socket closed, as HTTP Toolkit writes it: the close frame, if there was one. */
const closeSchema = z.union([
  z.literal('aborted'),
  z.object({
    code: z.number().nullish(),
    reason: z.string().nullish(),
    /** Seconds since the epoch; HTTP Toolkit writes the time since the start of its process here. */
    timestamp: z.number().nullish(),
  }),
]);
/** How a socket closed. */
export type HarClose = z.infer<typeof closeSchema>;

/** The entry of a WebSocket. */
export const harSocketSchema = z.object({
  startedDateTime: z.string().optional(),
  /** The duration, milliseconds; -1 when it is unknown. */
  time: z.number().nullish(),
  request: z.object({ url: z.string() }),
  response: z.object({ content: z.object({ _file: z.string().optional() }).optional() }).optional(),
  _webSocketMessages: z.array(harMessageSchema).optional(),
  _webSocketClose: closeSchema.nullish(),
});

/** An entry of a HAR with WebSocket messages. */
export type HarSocketEntry = z.infer<typeof harSocketSchema>;
