import { createRequire } from 'node:module';
import { z } from 'zod';

/** What of authenticate-pam is used. It checks none of these types: all must be strings. */
export interface PamBinding {
  /** @param done gets PAM's text if the sign-in was refused, nothing if it was accepted. */
  authenticate(
    username: string,
    password: string,
    done: (error: string | undefined) => void,
    options: { readonly serviceName: string; readonly remoteHost: string },
  ): void;
}

const pamBinding = z.object({
  authenticate: z.custom<PamBinding['authenticate']>((value) => typeof value === 'function'),
});

/** @throws Error if authenticate-pam is not there, for it is optional, or was built for another Node. */
export const loadPamBinding = (): PamBinding =>
  pamBinding.parse(createRequire(import.meta.url)('authenticate-pam'));
