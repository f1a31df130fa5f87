import type { Reducer } from '@reduxjs/toolkit';
import type { Snapshot } from '#shared/protocol/update.ts';
import { sessionEnded, sessionLaunched } from '#shared/store/session.ts';
import { updateApplied } from '#shared/store/updates.ts';

/** The fields of the newest snapshot that Parley does not use. The answer on `messenger` contains them (contract §5 other fields). */
export type SnapshotFields = Readonly<Record<string, unknown>>;

const NONE: SnapshotFields = {};

export const snapshotFieldsReducer: Reducer<SnapshotFields> = (fields = NONE, action) => {
  if (sessionLaunched.match(action) || sessionEnded.match(action)) return NONE;
  if (!updateApplied.match(action)) return fields;
  const { update } = action.payload;
  return update.kind === 'snapshot' ? unusedFields(update.frame) : fields;
};

function unusedFields({ person: _person, messages: _messages, ...fields }: Snapshot): SnapshotFields {
  return fields;
}
