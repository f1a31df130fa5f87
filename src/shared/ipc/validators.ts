import { z } from 'zod';
import { ASSISTANT_PROMPT_LENGTH, CREDENTIAL_LENGTH, ENCODE_BYTES } from '../limits.ts';
import type { Credentials } from '../protocol/credentials.ts';
import { outgoingSchema } from '../protocol/outgoing.ts';
import type { AssistantChange } from './assistant.ts';
import type { Invoked, Sent } from './channels.ts';
import { credentialsSchema } from './credentialsSchema.ts';
import { preferencesSchema } from './preferencesSchema.ts';
import type { ToolsSent } from './tools.ts';

/** The schemas with which main validates the arguments of each channel. Until then, a window's arguments are `unknown`. */
type Validators<Arguments> = { readonly [C in keyof Arguments]: z.ZodType<Arguments[C]> };

/** The validators of the arguments of spec §6.3's `send` channels. */
export const sentValidators: Validators<Sent> = {
  messenger: z.tuple([]),
  message: z.tuple([outgoingSchema]),
  logout: z.tuple([]),
  nav: z.tuple([z.unknown().optional()]),
};

/** Returns whether no field is too long. Longer texts are refused before any pattern is tested on them. */
const isShort = (credentials: Credentials) =>
  Object.values(credentials).every((text) => text.length <= CREDENTIAL_LENGTH);

/** The validators of the arguments of spec §6.3's `invoke` channels. */
export const invokedValidators: Validators<{ [C in keyof Invoked]: Invoked[C]['args'] }> = {
  encode: z.tuple([z.instanceof(ArrayBuffer).refine(({ byteLength }) => byteLength <= ENCODE_BYTES)]),
  auth: z.tuple([credentialsSchema.refine(isShort)]),
};

/** Longer than any valid text: main answers with the mistake. */
const entered = z.string().max(2 * ASSISTANT_PROMPT_LENGTH);
const assistantChange: z.ZodType<AssistantChange> = z.strictObject({
  url: entered,
  model: entered.nullable(),
  prompt: entered.nullable(),
  key: entered.nullable(),
  keepsKey: z.boolean(),
});

const ordinal = z.int().nonnegative();

/** The validators of the arguments of the channels that Parley adds. */
export const toolsValidators: Validators<ToolsSent> = {
  reconnect: z.tuple([]),
  saveSession: z.tuple([]),
  inspectSession: z.tuple([]),
  tryAgain: z.tuple([]),
  saveReceived: z.tuple([]),
  setPreference: z.tuple([preferencesSchema]),
  openSettings: z.tuple([]),
  openAbout: z.tuple([]),
  copyDiagnostics: z.tuple([]),
  openAssistant: z.tuple([]),
  testAssistant: z.tuple([assistantChange.nullable()]),
  cancelAssistantTest: z.tuple([]),
  saveAssistant: z.tuple([assistantChange.nullable()]),
  openDeleteData: z.tuple([]),
  openExport: z.tuple([]),
  openPrint: z.tuple([]),
  zoomIn: z.tuple([]),
  zoomOut: z.tuple([]),
  resetZoom: z.tuple([]),
  deleteData: z.tuple([z.strictObject({ platformFile: z.boolean() })]),
  toggleRecording: z.tuple([]),
  recordingFailed: z.tuple([ordinal]),
  play: z.tuple([z.object({ message: ordinal, item: ordinal })]),
  stopPlayback: z.tuple([]),
  audioWritten: z.tuple([ordinal]),
  playbackFailed: z.tuple([ordinal]),
  /** The action is validated by `parseOwnAction`. */
  report: z.tuple([ordinal, z.unknown()]),
};
