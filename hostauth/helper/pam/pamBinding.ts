import { createRequire } from 'node:module';
import { z } from 'zod';

/** The used part of authenticate-pam. It checks none of these types: all must be strings. */
interface PamBinding {
  /** @param done called with PAM's message when the sign-in is refused, with nothing when it is accepted. */
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

/** Loads authenticate-pam. @throws when it is not installed (it is optional), or was built for another Node. */
export const loadPamBinding = (): PamBinding =>
  pamBinding.parse(createRequire(import.meta.url)('authenticate-pam'));
