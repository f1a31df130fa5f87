import * as z from 'zod/mini';
import { RESUME_PATH, proofText } from '../bridge/resumeProtocol.ts';

/**
 * What a page finds when it has lost the host:
 * - `ready`: the host that it knows, perhaps started again. The page is signed in.
 * - `stopped`: no server answers.
 * - `unknown`: a server answers, but does not know the page, or is not the host.
 */
export type Found = 'ready' | 'stopped' | 'unknown';

interface Deps {
  readonly port: number;
  /** Sends JSON to a path of this origin. */
  readonly post: (path: string, body: string) => Promise<Pick<Response, 'ok' | 'json'>>;
  readonly keepPageSecret: (secret: string) => void;
}

const provedSchema = z.object({ challenge: z.string(), proofs: z.array(z.string()) });
const signedInSchema = z.object({ pageSecret: z.string() });

/**
 * Signs the page in at the host with the key that the host gave it. The host proves first that it knows the key: another server that has taken the port
 * learns nothing.
 */
export async function reachHost(key: string | null, { port, post, keepPageSecret }: Deps): Promise<Found> {
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const ask = async (body: object): Promise<unknown> => {
    const response = await post(RESUME_PATH, JSON.stringify(body));
    return response.ok ? response.json().catch(() => null) : null;
  };
  try {
    const proved = provedSchema.safeParse(await ask({ nonce })).data;
    if (proved === undefined || key === null) return 'unknown';
    const exchange = { port, nonce, challenge: proved.challenge };
    if (!proved.proofs.includes(await hmac(key, proofText('host', exchange)))) return 'unknown';
    const proof = await hmac(key, proofText('page', exchange));
    const signedIn = signedInSchema.safeParse(await ask({ nonce, proof })).data;
    if (signedIn === undefined) return 'unknown';
    keepPageSecret(signedIn.pageSecret);
    return 'ready';
  } catch {
    // `fetch` rejects when it gets no response.
    return 'stopped';
  }
}

const encodeText = (text: string) => new TextEncoder().encode(text);

async function hmac(key: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', encodeText(key), algorithm, false, ['sign']);
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', imported, encodeText(text))));
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
