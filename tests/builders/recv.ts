import type { FrameRecord } from '#shared/capture/captureFormat.ts';

/** Returns a capture's record of a frame from the platform. */
export const recv = (t: number, frame: unknown): FrameRecord => ({
  t,
  type: 'recv',
  data: JSON.stringify(frame),
});
