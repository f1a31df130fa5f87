import { z } from 'zod';
import { THEMES } from '../store/preferences.ts';

/** Validates some of the preferences: a change, or the contents of the preferences file. Refuses unknown names. */
export const preferencesSchema = z.strictObject({
  audio: z.boolean().exactOptional(),
  theme: z.enum(THEMES).exactOptional(),
  sendAllFiles: z.boolean().exactOptional(),
  stayWhereIRead: z.boolean().exactOptional(),
  captureDays: z.int().positive().nullable().exactOptional(),
  captureMegabytes: z.int().positive().nullable().exactOptional(),
});
