import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectionError } from './createConnection.ts';
import { endpointForTest, partsOf } from './testing/endpointForTest.ts';

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

const signal = new AbortController().signal;
const QUESTION = [{ role: 'user', content: 'Who are you?' }] as const;

describe('certificates', () => {
  test('speaks https with a server whose certificate is right', async () => {
    const { endpoint } = await endpointForTest({}, { tls: 'trusted' });
    expect((await partsOf(endpoint.chat(QUESTION, { signal }))).at(-1)).toMatchObject({ kind: 'end' });
  });

  test.each([
    [
      'selfSigned',
      'is self-signed, so it is not trusted. To trust it, start Parley with NODE_EXTRA_CA_CERTS=',
    ],
    ['expired', 'has expired. Renew it on the server, and check this machine’s date.'],
    [
      'wrongName',
      'is for another name than 127.0.0.1. Use the name in the certificate: change the address in Settings › Assistant.',
    ],
  ] as const)('says what is wrong with a certificate: %s', async (tls, words) => {
    const { endpoint, stub } = await endpointForTest({ key: 'sk-secret' }, { tls });
    await expect(endpoint.models(signal)).rejects.toMatchObject({
      kind: 'tls',
      message: expect.stringContaining(`The certificate of ${new URL(stub.url).origin} ${words}`),
    });
    expect(stub.requests).toEqual([]);
  });

  test('ignores NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { endpoint } = await endpointForTest({}, { tls: 'selfSigned' });
    await expect(endpoint.models(signal)).rejects.toMatchObject({ kind: 'tls' });
  });

  test('says that a server does not speak https', async () => {
    const plain = await endpointForTest();
    const { endpoint } = await endpointForTest({ url: plain.stub.url.replace('http:', 'https:') });
    await expect(endpoint.models(signal)).rejects.toMatchObject({
      kind: 'tls',
      message: expect.stringMatching(
        /^The server at https:\/\/127\.0\.0\.1:\d+ does not speak https\. Use http: change/,
      ),
    });
  });

  test('reaches another machine’s https through the proxy of the environment, which sees no key', async () => {
    const { stub } = await endpointForTest({}, { tls: 'wrongName', key: 'sk-secret' });
    const seen: string[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url, headers }, socket) => {
      seen.push(`${url} ${JSON.stringify(headers)}`);
      const server = connect(stub.port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      server.pipe(socket).pipe(server);
      server.on('error', () => socket.destroy());
      socket.on('error', () => server.destroy());
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    const { port } = Object(proxy.address());
    vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${port}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { endpoint } = await endpointForTest({ url: 'https://other.example/v1', key: 'sk-secret' });
    expect(await endpoint.models(signal)).toEqual([{ id: 'stub-model', contextTokens: 8192 }]);
    expect(seen).toEqual([expect.stringMatching(/^other\.example:443 (?!.*sk-secret)/)]);
  });
});
