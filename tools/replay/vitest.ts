import { type DescribeOptions, describeCaptures as describeOf } from './describeCaptures.ts';
import { parleyApp } from './parley/parleyApp.ts';

/** As `describeCaptures` of the package, for the captures of Parley unless there is an adapter. */
export const describeCaptures = (
  folder: string | URL,
  { adapter = parleyApp, ...options }: Partial<DescribeOptions> = {},
): void => describeOf(folder, { ...options, adapter });
