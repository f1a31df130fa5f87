import { signedInMessenger } from './messengerAt.ts';
import { mainRecorder } from './mainRecorder.ts';

/** Creates a messenger as {@link signedInMessenger} does, with a recorder. */
export async function recordedMessenger(options: Parameters<typeof mainRecorder>[0] = {}) {
  const recorded = mainRecorder(options);
  const { recorder: capture, clock, kept } = recorded;
  return { recorded, ...(await signedInMessenger({ capture, clock, kept })) };
}
