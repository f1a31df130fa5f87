/** Why a sign-in was refused, as a label of the metrics. */
type SignInRefusal = 'form' | 'credentials' | 'forbidden' | 'taken' | 'limited' | 'unavailable' | 'other';

const REASONS: Readonly<Record<number, SignInRefusal>> = {
  400: 'form',
  422: 'form',
  401: 'credentials',
  403: 'forbidden',
  409: 'taken',
  429: 'limited',
  502: 'unavailable',
  503: 'unavailable',
};

/** Returns the reason for a status of `POST /auth`. */
export const signInRefusal = (status: number): SignInRefusal => REASONS[status] ?? 'other';
