import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';

interface BrowserRequest {
  /** The app's host, as in the address bar. */
  readonly host: string;
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reads the hidden fields of a page's form. */
export const hiddenFields = (html: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(
      html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g),
      ([, name, value = '']) => [name, value.replaceAll('&amp;', '&')],
    ),
  );

/** Creates a browser with a cookie jar for each host, which follows no redirects. Its requests go to a port of 127.0.0.1, whatever their host. @param isTls any certificate is accepted. */
export function createAppBrowser(port: number, { isTls }: { readonly isTls: boolean }) {
  const cookies = new Map<string, Map<string, string>>();

  function keep(host: string, lines: readonly string[] = []): void {
    const jar = cookies.get(host) ?? new Map<string, string>();
    cookies.set(host, jar);
    for (const line of lines) {
      const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
      if (/Max-Age=0|Expires=Thu, 01 Jan 1970/.test(attributes)) jar.delete(name);
      else jar.set(name, value);
    }
  }

  async function send(asked: BrowserRequest) {
    const { host, path, form, headers = {} } = asked;
    const jar = [...(cookies.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
    const options = {
      host: '127.0.0.1',
      port,
      method: form === undefined ? 'GET' : 'POST',
      path,
      servername: host.replace(/:\d+$/, ''),
      rejectUnauthorized: false,
      agent: false as const,
      headers: {
        host,
        accept: 'text/html',
        ...(jar === '' ? {} : { cookie: jar }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded', origin: `https://${host}` }),
        ...headers,
      },
    };
    const request = isTls ? https.request(options) : http.request(options);
    request.end(form && new URLSearchParams(form).toString());
    const [response]: http.IncomingMessage[] = await once(request, 'response');
    if (response === undefined) throw new Error('there is no answer');
    const { statusCode: status = 0, headers: received } = response;
    keep(host, received['set-cookie']);
    return { status, headers: received, body: await text(response) };
  }

  async function sendForm(page: BrowserRequest, fields: Readonly<Record<string, string>> = {}) {
    const { body } = await send(page);
    const [, path = ''] = /<form method="post" action="([^"]*)">/.exec(body) ?? [];
    // Without a proxy, the service is not under a path.
    const action = isTls ? path : path.replace('/.hostauth', '');
    return send({ host: page.host, path: action, form: { ...hiddenFields(body), ...fields } });
  }

  return {
    cookies,
    send,
    /** Opens the sign-in page at an address, fills it in and sends it. */
    signIn: sendForm,
    /** Opens the sign-in page, and sends its sign-out form. */
    signOut: sendForm,
  };
}
