import { z } from 'zod';

/** The last millisecond that a date can be. */
const LAST_TIME = 8.64e15;

/** One message of a WebSocket, as Chrome, mitmproxy and Playwright write it. */
export const harMessageSchema = z.object({
  type: z.enum(['send', 'receive', 'error']),
  /** Seconds since the epoch, or milliseconds (Playwright); -1 when it was left out. */
  time: z
    .number()
    .max(LAST_TIME)
    .nullish()
    .transform((time) => time ?? -1),
  opcode: z.number(),
  data: z.string(),
  /** Ours: the snapshot that stood when the capture began in the middle. */
  _synthetic: z.literal(true).optional(),
});

export type HarMessage = z.infer<typeof harMessageSchema>;

/** A HAR, as far as it is looked at; what its other entries hold is nobody's business here. */
export const harSchema = z.object({
  log: z.object({
    creator: z.object({ name: z.string(), version: z.string() }).optional(),
    pages: z.array(z.object({ startedDateTime: z.string() })).optional(),
    entries: z.array(z.looseObject({})),
  }),
});

/** An entry that is a WebSocket. */
export const harSocketSchema = z.object({
  startedDateTime: z.string().optional(),
  request: z.object({ url: z.string() }),
  response: z.object({ content: z.object({ _file: z.string().optional() }).optional() }).optional(),
  _webSocketMessages: z.array(harMessageSchema).optional(),
});

export type HarSocketEntry = z.infer<typeof harSocketSchema>;
