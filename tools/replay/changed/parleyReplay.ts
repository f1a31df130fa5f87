import { parleyApp } from '../parley/parleyApp.ts';
import { verifyCapture } from '../verify/verifyCapture.ts';

/** Verifies one capture of Parley: what the verification of a capture runs. The index runs a copy of this module with all it imports. */
export const verify = (capture: string) => verifyCapture(capture, parleyApp);
