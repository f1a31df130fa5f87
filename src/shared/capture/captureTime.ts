import { roundTime } from '../clock.ts';

/** Converts the time of a record, or of a tick, to the time since the launch. Inverts {@link captureTime} exactly. */
export const timeSinceLaunch = (t: number, launchedAt: number): number =>
  launchedAt === 0 ? t : roundTime(t - launchedAt);

/** Converts a time since the launch to the time in the capture. */
export const captureTime = (sinceLaunch: number, launchedAt: number): number =>
  launchedAt === 0 ? sinceLaunch : roundTime(launchedAt + sinceLaunch);
