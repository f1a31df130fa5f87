import type { Scenario } from '../run/scenario.ts';
import { inspector } from './window/inspector.ts';
import { errors } from './program/errors.ts';
import { failedStarts } from './program/failedStarts.ts';
import { starts } from './program/starts.ts';
import { removedFolder } from './files/removedFolder.ts';
import { leftovers } from './files/leftovers.ts';
import { steady } from './window/steady.ts';
import { large } from './window/large.ts';
import { logging } from './files/logging.ts';
import { disk } from './files/disk.ts';
import { platformKills } from './program/platformKills.ts';
import { burst } from './connection/burst.ts';
import { clock } from './connection/clock.ts';
import { flaps } from './connection/flaps.ts';
import { flood } from './connection/flood.ts';
import { fuzz } from './connection/fuzz.ts';
import { hostauth } from './hostauth/hostauth.ts';
import { hostilePage } from './window/hostilePage.ts';
import { killPoints } from './program/killPoints.ts';
import { kills } from './program/kills.ts';
import { markup } from './window/markup.ts';
import { reloads } from './window/reloads.ts';
import { silent } from './connection/silent.ts';
import { slow } from './connection/slow.ts';
import { stoppedRenderer } from './window/stoppedRenderer.ts';
import { unread } from './connection/unread.ts';

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
