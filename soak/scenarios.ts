import type { Scenario } from './scenario.ts';
import { burst } from './scenarios/burst.ts';
import { clock } from './scenarios/clock.ts';
import { flaps } from './scenarios/flaps.ts';
import { flood } from './scenarios/flood.ts';
import { fuzz } from './scenarios/fuzz.ts';
import { hostilePage } from './scenarios/hostilePage.ts';
import { killPoints } from './scenarios/killPoints.ts';
import { kills } from './scenarios/kills.ts';
import { markup } from './scenarios/markup.ts';
import { reloads } from './scenarios/reloads.ts';
import { silent } from './scenarios/silent.ts';
import { stoppedRenderer } from './scenarios/stoppedRenderer.ts';
import { unread } from './scenarios/unread.ts';

/** Every scenario, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  flaps,
  fuzz,
  hostilePage,
  markup,
  burst,
  reloads,
  stoppedRenderer,
  clock,
  silent,
  unread,
  flood,
  kills,
  killPoints,
];
