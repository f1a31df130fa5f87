import type { Scenario } from './scenario.ts';
import { inspector } from './scenarios/inspector.ts';
import { errors } from './scenarios/errors.ts';
import { failedStarts } from './scenarios/failedStarts.ts';
import { starts } from './scenarios/starts.ts';
import { removedFolder } from './scenarios/removedFolder.ts';
import { leftovers } from './scenarios/leftovers.ts';
import { steady } from './scenarios/steady.ts';
import { large } from './scenarios/large.ts';
import { logging } from './scenarios/logging.ts';
import { disk } from './scenarios/disk.ts';
import { platformKills } from './scenarios/platformKills.ts';
import { burst } from './scenarios/burst.ts';
import { clock } from './scenarios/clock.ts';
import { flaps } from './scenarios/flaps.ts';
import { flood } from './scenarios/flood.ts';
import { fuzz } from './scenarios/fuzz.ts';
import { hostauth } from './scenarios/hostauth.ts';
import { hostilePage } from './scenarios/hostilePage.ts';
import { killPoints } from './scenarios/killPoints.ts';
import { kills } from './scenarios/kills.ts';
import { markup } from './scenarios/markup.ts';
import { reloads } from './scenarios/reloads.ts';
import { silent } from './scenarios/silent.ts';
import { slow } from './scenarios/slow.ts';
import { stoppedRenderer } from './scenarios/stoppedRenderer.ts';
import { unread } from './scenarios/unread.ts';

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
