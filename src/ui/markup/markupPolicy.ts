import type { Config } from 'dompurify';

interface Rules {
  createHTML(html: string): string;
  createScriptURL(url: string): string;
}

/** The type of a Trusted Types policy. TypeScript treats the markup that it creates as a string. */
type Policy = Rules & NonNullable<Config['TRUSTED_TYPES_POLICY']>;

/** A window of a browser with or without Trusted Types. */
interface TrustingWindow extends Pick<Window, 'document'> {
  readonly trustedTypes?: { createPolicy(name: string, rules: Rules): Policy };
}

let policy: Policy | undefined;

/**
 * Returns the Trusted Types policy that turns texts into markup, or `undefined` in a browser without Trusted Types. It replaces DOMPurify's
 * own policy of the same name. Its markup is parsed in inert documents; only what DOMPurify keeps of them is shown.
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
