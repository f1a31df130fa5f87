import type { InspectorState } from '../session/state.ts';

/** The record of the selected step, for the what-if: edits refer to the recorded capture. */
export interface FrameChoice {
  /** 0: before all records. */
  readonly record: number;
  /** The text of the frame; `undefined` when there is no frame to edit. */
  readonly text: string | undefined;
}

/** Returns the editable part of the selected step; `undefined` in the edited branch. */
export function frameOf({ branch, view }: InspectorState): FrameChoice | undefined {
  if (branch === 'edited' || view === undefined) return undefined;
  const { row, wire } = view;
  const isText = wire !== undefined && wire.direction !== 'none' && wire.encoding === 'text';
  return { record: row?.record ?? 0, text: isText ? wire.text : undefined };
}
