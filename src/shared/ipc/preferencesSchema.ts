import { z } from 'zod';

/** The appearances from which a person chooses; `system` follows the operating system. */
export const THEMES = ['system', 'light', 'dark'] as const;

/** What a person can set in the app. */
export interface Preferences {
  /** Whether the audio module starts with a session. The default is off (spec §3.3). */
  readonly audio: boolean;
  /** The colour theme; `system` follows the operating system. */
  readonly theme: (typeof THEMES)[number];
  /** Whether all dropped or pasted files are sent. The default is the first one only (spec §4.4.2). */
  readonly sendAllFiles: boolean;
  /** Whether an update keeps the position of a person who has scrolled up. The default is off: each update scrolls to the bottom (spec §4.4). */
  readonly stayWhereIRead: boolean;
  /** Maximum age of a recording, in days since its last record; `null`: no limit. */
  readonly captureDays: number | null;
  /** Maximum total size of all recordings, in megabytes (1,000,000 bytes); the oldest are deleted first. `null`: no limit. */
  readonly captureMegabytes: number | null;
}

/** Validates some of the preferences: a change, or the contents of the preferences file. Refuses unknown names. */
export const preferencesSchema = z.strictObject({
  audio: z.boolean().exactOptional(),
  theme: z.enum(THEMES).exactOptional(),
  sendAllFiles: z.boolean().exactOptional(),
  stayWhereIRead: z.boolean().exactOptional(),
  captureDays: z.int().positive().nullable().exactOptional(),
  captureMegabytes: z.int().positive().nullable().exactOptional(),
});
