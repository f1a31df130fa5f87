import { z } from 'zod';

/** The appearances from which a person chooses; `system` follows the operating system. */
export const THEMES = ['system', 'light', 'dark'] as const;

/** Validates some of the preferences: a change, or the contents of the preferences file. Refuses unknown names. */
export const preferencesSchema = z.strictObject({
  /** Whether the audio module starts with a session. The default is off (spec §3.3). */
  audio: z.boolean().exactOptional(),
  /** The colour theme; `system` follows the operating system. */
  theme: z.enum(THEMES).exactOptional(),
  /** Whether all dropped or pasted files are sent. The default is the first one only (spec §4.4.2). */
  sendAllFiles: z.boolean().exactOptional(),
  /** Whether an update keeps the position of a person who has scrolled up. The default is off: each update scrolls to the bottom (spec §4.4). */
  stayWhereIRead: z.boolean().exactOptional(),
  /** Maximum age of a recording, in days since its last record; `null`: no limit. */
  captureDays: z.int().positive().nullable().exactOptional(),
  /** Maximum total size of all recordings, in megabytes (1,000,000 bytes); the oldest are deleted first. `null`: no limit. */
  captureMegabytes: z.int().positive().nullable().exactOptional(),
});

/** What a person can set in the app. */
export type Preferences = Readonly<Required<z.infer<typeof preferencesSchema>>>;
