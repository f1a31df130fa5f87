import { type CaptureRecord, type CloseRecord, type FrameRecord, isKnown } from '#shared/capture/format.ts';

/** What the platform does on a connection, and what the client says, in the order of the capture. */
export type ScriptStep = FrameRecord | CloseRecord;

/** One connection of a capture. */
export interface ScriptConnection {
  /** When it opened, milliseconds since the session's launch. */
  readonly openedAt: number;
  readonly steps: readonly ScriptStep[];
}

/** A capture as the platform's part in it: its connections, one after the other; at least one. */
export async function readScript(
  batches: AsyncIterable<readonly CaptureRecord[]>,
): Promise<readonly ScriptConnection[]> {
  const connections: { openedAt: number; steps: ScriptStep[] }[] = [];
  let isOpen = false;
  const open = (openedAt: number) => {
    isOpen = true;
    connections.push({ openedAt, steps: [] });
  };
  for await (const batch of batches) {
    for (const record of batch) {
      if (!isKnown(record) || record.type === 'action') continue;
      // A close while nothing was open is a try that failed: there is nothing to play. A frame while nothing was open is
      // one of a connection that was open when the capture began.
      if (!isOpen && record.type === 'close') continue;
      if (!isOpen) open(record.t);
      if (record.type === 'open') continue;
      connections.at(-1)?.steps.push(record);
      if (record.type === 'close') isOpen = false;
    }
  }
  return connections.length > 0 ? connections : [{ openedAt: 0, steps: [] }];
}

/** The client's own close (spec §3.1): nobody but the client can do that. */
export const isClientsClose = ({ code, reason }: CloseRecord): boolean =>
  code === 1000 && reason === 'logout';
