import type { ToolApp } from '../engine/toolApp.ts';
import { parleyApp } from './parleyApp.ts';
import { parleyRun } from './parleyRun.ts';
import { parleyStats } from './parleyStats.ts';

/** Parley for the command line. */
export const parleyTool: ToolApp = { ...parleyApp, run: parleyRun, stats: parleyStats };
