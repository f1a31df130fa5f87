import { z } from 'zod';
import { credentialsSchema } from '../protocol/credentials.ts';
import { outgoingSchema } from '../protocol/outgoing.ts';
import type { Invoked, Sent } from './channels.ts';
import type { ToolsSent } from './tools.ts';

/** What main holds against the arguments of each channel: what a window says is `unknown` until then. */
type Validators<Arguments> = { readonly [C in keyof Arguments]: z.ZodType<Arguments[C]> };

export const sentValidators: Validators<Sent> = {
  messenger: z.tuple([]),
  message: z.tuple([outgoingSchema]),
  logout: z.tuple([]),
  nav: z.tuple([z.string()]),
};

export const invokedValidators: Validators<{ [C in keyof Invoked]: Invoked[C]['args'] }> = {
  encode: z.tuple([z.instanceof(ArrayBuffer)]),
  auth: z.tuple([credentialsSchema]),
};

export const toolsValidators: Validators<ToolsSent> = {
  reconnect: z.tuple([]),
  saveSession: z.tuple([]),
};
