import { ACT_ENTRIES } from './actEntries.ts';
import type { ActionEntries } from './actionEntry.ts';
import { FACT_ENTRIES } from './factEntries.ts';
import { OWN_ENTRIES } from './ownEntries.ts';

/** The sections of docs/actions.md: every action of the program. */
export const ACTION_SECTIONS = { acts: ACT_ENTRIES, facts: FACT_ENTRIES, own: OWN_ENTRIES } as const;

/** Every action of the program by type. A test fails when an action creator is missing. */
export const ACTIONS: ActionEntries = { ...ACT_ENTRIES, ...FACT_ENTRIES, ...OWN_ENTRIES };

const RECORDED: ReadonlySet<string> = new Set(
  Object.entries(ACTIONS).flatMap(([type, { recorded }]) => (recorded === null ? [] : [type])),
);

/** Returns whether the app records actions of this type. An action that is not on the list is not recorded. */
export const isRecorded = (type: string): boolean => RECORDED.has(type);
