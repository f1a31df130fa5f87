import { signedInMessenger } from './mainMessenger.ts';
import { mainRecorder } from './mainRecorder.ts';

/** A messenger whose sessions are recorded, signed in and connected to a platform that has sent a conversation. */
export async function recordedMessenger(options: Parameters<typeof mainRecorder>[0] = {}) {
  const recorded = mainRecorder(options);
  const { recorder: capture, clock, kept } = recorded;
  return { recorded, ...(await signedInMessenger({ capture, clock, kept })) };
}
