import type { Config } from 'dompurify';

interface Rules {
  createHTML(html: string): string;
  createScriptURL(url: string): string;
}

/** TypeScript takes markup that a policy made for the string that it is elsewhere. */
type Policy = Rules & NonNullable<Config['TRUSTED_TYPES_POLICY']>;

/** A window, also of a browser without Trusted Types. */
interface TrustingWindow extends Pick<Window, 'document'> {
  readonly trustedTypes?: { createPolicy(name: string, rules: Rules): Policy };
}

let policy: Policy | undefined;

/**
 * The one policy that may make markup of a text, in place of the one that DOMPurify would make under the same name. What it makes is
 * given to documents that nobody sees; what is shown is what DOMPurify leaves of them. `undefined` in a browser without Trusted Types.
 */
export function markupPolicy(): Policy | undefined {
  const { trustedTypes }: TrustingWindow = window;
  policy ??= trustedTypes?.createPolicy('dompurify', {
    createHTML: (html) => html,
    createScriptURL: () => {
      throw new TypeError('Markup of a message loads no script.');
    },
  });
  return policy;
}
