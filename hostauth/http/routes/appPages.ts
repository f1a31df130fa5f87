/** The pages of the sign-in for apps: HTML without scripts, for any browser. */
import { hash as digest } from 'node:crypto';

/** The path under which the proxy mounts the service on the host of each app. */
const MOUNT = '/.hostauth';
/** The longest path to return to: it is a field of the form, and a body has at most 4 KiB. */
const RETURN_LENGTH = 1024;

/** Returns the path if a browser stays on the host when it follows it, else `/`. */
export const safePath = (path: string | undefined): string =>
  path !== undefined && path.length <= RETURN_LENGTH && /^\/(?!\/)[!-[\]-~]*$/.test(path) ? path : '/';

/** Returns the address of the sign-in page, which returns to a path of the app. */
export const signInAddress = (path?: string): string =>
  `${MOUNT}/sign-in?return=${encodeURIComponent(safePath(path))}`;

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 10vh 1rem 2rem; color: #1b1f24; background: #f3f4f6; }
main { box-sizing: border-box; max-width: 24rem; margin: auto; padding: 1.5rem 2rem 2rem; background: #fff;
  border: 1px solid #8a93a0; border-radius: 0.5rem; }
h1 { margin: 0 0 1rem; font-size: 1.35rem; overflow-wrap: anywhere; }
label { display: block; margin: 1rem 0 0.25rem; }
input, button { box-sizing: border-box; width: 100%; min-height: 2.75rem; padding: 0.4rem 0.75rem; font: inherit;
  border: 1px solid #6b7480; border-radius: 0.3rem; }
input { color: inherit; background: transparent; }
button { margin-top: 1.5rem; color: #fff; background: #1d4f91; border-color: #1d4f91; cursor: pointer; }
:focus-visible { outline: 3px solid #d9730d; outline-offset: 2px; }
a { color: #1d4f91; }
.error { padding: 0.5rem 0.75rem; border-left: 4px solid #b3261e; background: #fdeceb; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e8eb; background: #14171b; }
  main { background: #1e2227; border-color: #5b6470; }
  input { border-color: #8a93a0; }
  button { color: #10151b; background: #8ab4f8; border-color: #8ab4f8; }
  a { color: #8ab4f8; }
  .error { background: #40201e; border-color: #f2857c; }
}
`;

/** The Content-Security-Policy of a page: its own style, its own form, no frames. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${digest('sha256', STYLE, 'base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(';');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escape(title)}</h1>
${body}
</main>
</body>
</html>
`;

/** What a page with a form shows. */
interface FormContent {
  readonly host: string;
  /** The value that the form's cookie has, too. */
  readonly formToken: string;
  /** The path to continue with. */
  readonly path: string;
}

const hidden = ({ formToken, path }: FormContent) =>
  `<input type="hidden" name="form" value="${escape(formToken)}">
<input type="hidden" name="return" value="${escape(path)}">`;

const alert = (text: string) => `<p class="error" role="alert" id="error">${escape(text)}.</p>`;

/** Returns the sign-in form. @param error why the last attempt failed, without a full stop. */
export function signInPage(
  content: FormContent & { readonly username?: string; readonly error?: string },
): string {
  const { host, username = '', error } = content;
  const described = error === undefined ? '' : ' aria-describedby="error"';
  return page(
    `Sign in to ${host}`,
    `${error === undefined ? '' : alert(error)}
<form method="post" action="${MOUNT}/sign-in">
${hidden(content)}
<label for="username">Username</label>
<input id="username" name="username" value="${escape(username)}" autocomplete="username" autocapitalize="none"
  spellcheck="false" required${username === '' ? ' autofocus' : ''}${described}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${
      username === '' ? '' : ' autofocus'
    }${described}>
<button>Sign in</button>
</form>`,
  );
}

/** Returns the page of a person who is signed in: continue, or sign out. */
export const signedInPage = (content: FormContent & { readonly username: string }): string =>
  page(
    `Signed in to ${content.host}`,
    `<p>You are signed in as <strong>${escape(content.username)}</strong>.
<a href="${escape(content.path)}">Continue</a></p>
<form method="post" action="${MOUNT}/sign-out">
${hidden(content)}
<button>Sign out</button>
</form>`,
  );

/** Returns the page of a request that `GET /verify` refuses, for proxies that pass the answer on. */
export const refusedPage = (text: string, address: string): string =>
  page('Sign in', `${alert(text)}\n<p><a href="${escape(address)}">Continue to the sign-in page</a></p>`);
