import type { Scenario } from '../run/scenario.ts';
import { inspector } from './inspector.ts';
import { errors, failedStarts, starts } from './starts.ts';
import { disk, leftovers, logging, removedFolder } from './files.ts';
import { steady } from './steady.ts';
import { large } from './large.ts';
import { killPoints, kills, platformKills } from './kills.ts';
import { burst, flaps, slow, unread } from './traffic.ts';
import { clock, silent } from './time.ts';
import { flood } from './flood.ts';
import { fuzz } from './fuzz.ts';
import { hostauth } from './hostauth.ts';
import { hostilePage, markup } from './hostilePages.ts';
import { reloads, stoppedRenderer } from './reloads.ts';

/** Every scenario, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  flaps,
  fuzz,
  hostilePage,
  markup,
  inspector,
  errors,
  burst,
  reloads,
  stoppedRenderer,
  clock,
  silent,
  slow,
  unread,
  flood,
  kills,
  killPoints,
  platformKills,
  disk,
  logging,
  leftovers,
  removedFolder,
  starts,
  failedStarts,
  hostauth,
  large,
  steady,
];
