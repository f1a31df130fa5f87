import { expect, test } from 'vitest';
import { z } from 'zod';
import { PASSWORD, WRONG } from '../../testing/fakeHelper.ts';
import { testApp } from '../../testing/testApp.ts';

const CALLS = {
  '/auth': { post: ['200', '400', '401', '403', '413', '415', '429', '503'] },
  '/me': { get: ['200', '401', '403', '503'] },
  '/logout': { post: ['204', '400', '401', '403', '413', '503'] },
  '/sessions': { get: ['200', '401', '403', '429', '503'], delete: ['204', '401', '403', '429', '503'] },
  '/sessions/{username}': { delete: ['204', '401', '403', '429', '503'] },
  '/users': { post: ['201', '400', '401', '403', '409', '413', '415', '422', '429', '500', '503'] },
  '/healthz': { get: ['200', '403', '503'] },
  '/metrics': { get: ['200', '403', '503'] },
  '/openapi.json': { get: ['200', '403', '503'] },
};

/** An OpenAPI document as far as programs need it: every answer has a description and, but for 204, a schema. */
const documentSchema = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), description: z.string(), version: z.string() }),
  components: z.strictObject({
    securitySchemes: z.strictObject({
      session: z.strictObject({ type: z.literal('http'), scheme: z.literal('bearer') }),
    }),
    schemas: z.object({}),
  }),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(
      z.enum(['get', 'post', 'delete']),
      z.strictObject({
        summary: z.string().min(1),
        security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
        requestBody: z.looseObject({}).optional(),
        parameters: z.array(z.looseObject({})).optional(),
        responses: z.record(
          z.string().regex(/^\d{3}$/),
          z.strictObject({
            description: z.string().min(1),
            content: z.record(z.string(), z.strictObject({ schema: z.looseObject({}) })).optional(),
          }),
        ),
      }),
    ),
  ),
});

test('contract §8 other calls: answers 200 to /healthz', async () => {
  const { url } = await testApp();
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

test('contract §8 other calls: the OpenAPI document describes every call', async () => {
  const { url } = await testApp();
  const document = documentSchema.parse(await (await fetch(`${url}/openapi.json`)).json());
  const calls = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, { responses }]) => [method, Object.keys(responses).toSorted()]),
    ),
  ]);
  expect(Object.fromEntries(calls)).toEqual(CALLS);
  expect(document.paths['/auth']?.post?.requestBody).toMatchObject({
    content: {
      'application/json': {
        schema: { required: ['username', 'password'], additionalProperties: false },
      },
    },
  });
  expect(document.paths['/auth']?.post?.responses['401']?.content).toHaveProperty('application/problem+json');
  expect(document.paths['/me']?.get?.security).toEqual([{ session: [] }]);
});

test('contract §8 other calls: the metrics count events and contain no names', async () => {
  const { url, client } = await testApp();
  const { token } = await client.signIn({ username: 'ada', password: PASSWORD });
  await client.signIn({ username: 'ada', password: WRONG }).catch(() => undefined);
  await client.me(token);
  await fetch(`${url}/ada`);
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  const lines = text.split('\n');
  expect(lines).toContain('hostauth_sessions 1');
  expect(lines).toContain('hostauth_session_slots 1024');
  expect(lines).toContain('hostauth_events_total{event="sign-in succeeded"} 1');
  expect(lines).toContain('hostauth_events_total{event="sign-in failed"} 1');
  expect(lines).toContain('hostauth_http_request_seconds_count{method="GET",route="/me",status="200"} 1');
  expect(lines).toContain('hostauth_http_request_seconds_count{method="GET",route="none",status="404"} 1');
  expect(text).not.toContain('ada');
});

test('logs one line for a request, with its route and without the requested path', async () => {
  const { url, log } = await testApp();
  await fetch(`${url}/healthz?ada`);
  await fetch(`${url}/ada`);
  expect(log.filter(({ msg }) => msg === 'answered')).toMatchObject([
    { method: 'GET', route: '/healthz', status: 200, address: '127.0.0.1' },
    { method: 'GET', route: 'none', status: 404, address: '127.0.0.1' },
  ]);
  expect(JSON.stringify(log)).not.toContain('ada');
});
