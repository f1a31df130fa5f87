import { resolve } from 'node:path';
import { type Adapter, replayedApp } from '../../adapter/checkAdapter.ts';
import { type ReplayCode, appCode } from '#shared/replay/code.ts';
import { parleyWith } from '../../parley/parleyApp.ts';
import { type VerifyOptions, verifyCapture } from '../verifyCapture.ts';

/** The folder with package.json. */
export const CHECKOUT = resolve(import.meta.dirname, '../../../..');

type Others = Omit<VerifyOptions, 'adapter' | 'app' | 'base'>;

type Codes = Others & { readonly code?: ReplayCode; readonly base?: ReplayCode };

/** Verifies a capture with Parley, or with other code of it. */
export const verifyParley = (capture: string, { code = appCode, base, ...others }: Codes = {}) =>
  verifyCapture(capture, { ...parleyWith(code), ...(base && { base: parleyWith(base) }), ...others });

type Adapters = Others & { readonly app: Adapter; readonly appBase?: Adapter };

/** Verifies a capture with the adapter of another app. */
export const verifyApp = (capture: string, { app, appBase, ...others }: Adapters) =>
  verifyCapture(capture, { ...replayedApp(app), ...(appBase && { base: replayedApp(appBase) }), ...others });
