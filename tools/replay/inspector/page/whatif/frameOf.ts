import type { InspectorState } from '../session/state.ts';

/** The record of the selected step, as the what-if knows it: edits are of the capture as recorded. */
export interface FrameChoice {
  /** 0: before all. */
  readonly record: number;
  /** The frame's text; `undefined` where there is no frame that could be edited. */
  readonly text: string | undefined;
}

/** What of the selected step can be edited; `undefined` in the edited branch. */
export function frameOf({ branch, view }: InspectorState): FrameChoice | undefined {
  if (branch === 'edited' || view === undefined) return undefined;
  const { row, wire } = view;
  const isText = wire !== undefined && wire.direction !== 'none' && wire.encoding === 'text';
  return { record: row?.record ?? 0, text: isText ? wire.text : undefined };
}
