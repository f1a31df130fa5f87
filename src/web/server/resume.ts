import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '#node/writeFileAtomically.ts';
import { isSameSecret } from '#loopback/access.ts';
import { tryParseJson } from '#shared/json.ts';
import { proofText } from '../bridge/bridge.ts';

/** The request of a page: first for the host's proofs, then with its own. */
export const resumeSchema = z.object({ nonce: z.string().max(100), proof: z.string().max(100).optional() });
type ResumeRequest = z.infer<typeof resumeSchema>;

/** The keys by which the host and its open pages recognize each other. */
export class Resume {
  /** The key of this run. The pages get it over the bridge, and keep it in memory only. */
  readonly key: string;
  readonly #keys: readonly string[];
  readonly #challenge: string;

  /** @param earlier the keys of earlier runs of the same data folder, the newest first. */
  constructor(random: (bytes: number) => Buffer, earlier: readonly string[] = []) {
    this.key = random(32).toString('base64url');
    this.#challenge = random(32).toString('base64url');
    this.#keys = [this.key, ...earlier];
  }

  /** Returns the host's proofs for a nonce of a page, one for each key that it accepts. */
  prove(nonce: string, port: number): { readonly challenge: string; readonly proofs: readonly string[] } {
    const proofs = this.#keys.map((key) => this.#proof(key, { side: 'host', nonce, port }));
    return { challenge: this.#challenge, proofs };
  }

  /** Returns whether a page has proved that it knows one of the keys. */
  accepts({ nonce, proof }: ResumeRequest, port: number): boolean {
    if (proof === undefined) return false;
    return this.#keys.some((key) => isSameSecret(proof, this.#proof(key, { side: 'page', nonce, port })));
  }

  #proof(
    key: string,
    given: { readonly side: 'host' | 'page'; readonly nonce: string; readonly port: number },
  ) {
    const text = proofText(given.side, { ...given, challenge: this.#challenge });
    return createHmac('sha256', key).update(text).digest('hex');
  }
}

const FILE = 'web-host.json';
/** A page that waits notices each start, so few keys are enough. */
const KEPT_KEYS = 4;
const keysSchema = z.object({ keys: z.array(z.string().length(43)) });

/**
 * Creates the keys of a run of the host. The data folder keeps those of the last runs, in a file with mode 0600: each start adds a key and drops the oldest
 * one. Without a file that can be used, no page of an earlier run is recognized.
 */
export function createResume(folder: string | null, random: (bytes: number) => Buffer): Resume {
  if (folder === null) return new Resume(random);
  const path = join(folder, FILE);
  const resume = new Resume(random, readKeys(path));
  try {
    const keys = [resume.key, ...readKeys(path)].slice(0, KEPT_KEYS);
    writeFileAtomically(path, `${JSON.stringify({ keys })}\n`);
  } catch {
    // A full disk: the pages of this run are not recognized after the next start.
  }
  return resume;
}

function readKeys(path: string): readonly string[] {
  try {
    return keysSchema.safeParse(tryParseJson(readFileSync(path, 'utf8'))).data?.keys ?? [];
  } catch {
    return [];
  }
}
