/** A person who may register and sign in. */
export interface Identity {
  readonly email: string;
  /** A secret: it is in no capture, log or state. */
  readonly password: string;
  readonly name: string;
}

/** The people of the simulation. */
export const IDENTITIES: readonly Identity[] = ['ada', 'grace', 'alan'].map((name) => ({
  email: `${name}@example.org`,
  password: `s3cret#${name}77`,
  name: `${name} lovelace`,
}));

/** The key of the assistant's endpoint: a secret. */
export const ENDPOINT_KEY = 'sk-endpoint-4d1e8a';
