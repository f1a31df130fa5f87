import { expect, test } from 'vitest';
import { connectionError } from './connectionError.ts';

const errorOf = (code: string) =>
  connectionError(Object.assign(new Error(code), { code }), new URL('http://10.0.0.7:8080/v1'), 'Ask again.');

test.each(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ETIMEDOUT'])(
  'has the same kind and text for %s as for a refused connection',
  (code) => {
    const { kind, message } = errorOf(code);
    const refused = errorOf('ECONNREFUSED');
    expect({ kind, message }).toEqual({ kind: refused.kind, message: refused.message });
    expect(message).toMatch(/^No server answers at http:\/\/10\.0\.0\.7:8080\. Start it, check the network/);
  },
);
