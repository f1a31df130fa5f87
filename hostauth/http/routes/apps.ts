/*
 * The sign-in in front of any web app (contract §8). The proxy asks `/verify` before each request of an app, and mounts the
 * other calls under `/.hostauth/` on the app's own host, so that the cookie belongs to that host alone:
 *
 *   signed out ── GET /sign-in, POST /sign-in ──▶ signed in ── POST /sign-out ─────────────▶ signed out
 *                                                     └─ the session ends (`sessions.ts`) ─▶ signed out
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import cookie, { type CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Problem } from '../../api/problems.ts';
import { problemResponses } from '../../api/schemas.ts';
import { type AccountGuard, requesterFields } from '../guards/accountGuard.ts';
import { type HostCheck, appHostOf } from '../guards/hostCheck.ts';
import { PAGE_POLICY, refusedPage, safePath, signInAddress, signInPage, signedInPage } from './appPages.ts';
import { type AuthOptions, signIn } from './auth.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the `Host` of a request is that of an app; other calls refuse it. */
    readonly isForApps?: boolean;
  }
  interface FastifyRequest {
    /** The host of the app that the request is for; empty in calls that are not for apps. */
    appHost: string;
  }
}

/** The options of `apps`. */
interface AppsOptions extends AuthOptions {
  readonly guard: AccountGuard;
  readonly appHosts: readonly string[];
  readonly mayEnter: HostCheck;
}

/** `__Host-`: browsers take it over TLS only, and from the host itself, not from a sibling or a parent. */
const SESSION_COOKIE = '__Host-hostauth';
const FORM_COOKIE = '__Host-hostauth-form';
const COOKIE: CookieSerializeOptions = { httpOnly: true, secure: true, sameSite: 'lax', path: '/' };

const FORM_TOKEN = /^[\w-]{43}$/;

const CONFIG = { isForApps: true };
const HTML = { description: 'A page', content: { 'text/html': { schema: z.string() } } };
const MOVED = z.null().describe('Continue at `Location`');

const signOutForm = z.strictObject({ form: z.string(), return: z.string().optional() });
const signInForm = signOutForm.extend({ username: z.string(), password: z.string() });
const returnQuery = z.object({ return: z.string().optional() });
/** Strict: with a misspelled `group`, everyone would be admitted. */
const verifyQuery = z.strictObject({ group: z.union([z.string(), z.array(z.string())]).optional() });

/** Adds `GET /verify`, `GET /sign-in`, `POST /sign-in` and `POST /sign-out`, which takes forms, for the hosts of apps. */
export async function apps(fastify: FastifyInstance, options: AppsOptions): Promise<void> {
  await fastify.register(cookie);
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  );
  fastify.decorateRequest('appHost', '');
  fastify.addHook('onRequest', (request, _reply, done) => {
    const host = appHostOf(request, options);
    if (host === undefined) return done(new Problem('foreign-host'));
    request.appHost = host;
    request.session = options.sessions.find(request.cookies[SESSION_COOKIE] ?? '', host) ?? null;
    done();
  });
  verify(fastify, options);
  signInCalls(fastify, options);
  signOut(fastify, options);
}

/** Names are bytes of UTF-8 in a header field. */
const fieldText = (text: string) => Buffer.from(text).toString('latin1');
/** The longest `Remote-Groups`, in bytes: nginx has 4 KiB for all fields of an answer. */
const GROUPS_BYTES = 2048;

/** Joins the names of groups. Leaves out names that the list cannot have, and those that do not fit. */
function groupsField(groups: readonly string[]): string {
  let field = '';
  for (const group of groups.filter((name) => /^[^\p{Cc},]+$/u.test(name)).map(fieldText)) {
    const longer = field === '' ? group : `${field},${group}`;
    if (longer.length <= GROUPS_BYTES) field = longer;
  }
  return field;
}

function verify(fastify: FastifyInstance, { guard }: AppsOptions): void {
  const schema = {
    summary: 'Whether a request of an app has a session, for proxies',
    querystring: verifyQuery,
    response: {
      204: z.null().describe('`Remote-User` and `Remote-Groups` name the account'),
      ...problemResponses(400, 401, 403, 503),
    },
  };
  fastify
    .withTypeProvider<ZodTypeProvider>()
    .get('/verify', { schema, config: CONFIG, errorHandler: refuse }, async (request, reply) => {
      const { username, groups } = await guard.identity(request);
      const { group } = request.query;
      const admitted = typeof group === 'string' ? [group] : group;
      if (admitted?.some((name) => groups.includes(name)) === false) throw new Problem('not-in-group');
      return reply
        .code(204)
        .headers({ 'remote-user': fieldText(username), 'remote-groups': groupsField(groups) })
        .send(null);
    });
}

const sendPage = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    // With `no-referrer`, browsers would send the form with `Origin: null`.
    .headers({ 'content-security-policy': PAGE_POLICY, 'referrer-policy': 'same-origin' })
    .type('text/html; charset=utf-8')
    .send(html);

const sendRefusal = (reply: FastifyReply, { status, headers }: Problem, html: string): FastifyReply =>
  sendPage(reply.code(status).headers(headers), html);

/** Adds the address of the sign-in page to a refusal; browsers get a page. Other errors are those of every call. */
function refuse(error: Error, { headers }: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof Problem) || error.problem === 'foreign-host') throw error;
  const path = headers['x-forwarded-uri'];
  const address = signInAddress(Array.isArray(path) ? path[0] : path);
  if (error.status === 401) reply.header('location', address);
  const { accept = '' } = headers;
  if (error.status > 403 || !accept.includes('text/html')) throw error;
  sendRefusal(reply, error, refusedPage(error.message, address));
}

/** Returns the token of the browser's forms, and sets its cookie. Each form has it as a field: other sites cannot read it. */
function formToken({ cookies }: FastifyRequest, reply: FastifyReply): string {
  const known = cookies[FORM_COOKIE] ?? '';
  const token = FORM_TOKEN.test(known) ? known : randomBytes(32).toString('base64url');
  reply.setCookie(FORM_COOKIE, token, COOKIE);
  return token;
}

/** @throws {Problem} `form-expired` when the form was not one of this browser's. */
function checkForm({ cookies }: FastifyRequest, form: string): void {
  const known = cookies[FORM_COOKIE] ?? '';
  const isOwn =
    FORM_TOKEN.test(known) && FORM_TOKEN.test(form) && timingSafeEqual(Buffer.from(known), Buffer.from(form));
  if (!isOwn) throw new Problem('form-expired');
}

/** Ends the session of the request's cookie, if it has one. */
async function endSession(request: FastifyRequest, { sessions, audit }: AppsOptions): Promise<void> {
  const session = await sessions.end(request.cookies[SESSION_COOKIE] ?? '', request.appHost);
  if (session === undefined) return;
  const { username, number } = session;
  const { address } = requesterFields(request);
  audit('session ended', { username, session: number, ...(address === undefined ? {} : { address }) });
}

function signInCalls(fastify: FastifyInstance, options: AppsOptions): void {
  const app = fastify.withTypeProvider<ZodTypeProvider>();
  const show = {
    summary: 'The sign-in page of an app',
    querystring: returnQuery,
    response: { 200: HTML, ...problemResponses(403, 503) },
  };
  app.get('/sign-in', { schema: show, config: CONFIG }, async (request, reply) => {
    const { appHost: host, session, query } = request;
    const content = { host, formToken: formToken(request, reply), path: safePath(query.return) };
    return sendPage(
      reply,
      session === null ? signInPage(content) : signedInPage({ ...content, username: session.username }),
    );
  });

  const attempt = {
    summary: 'Sign in to an app by a form',
    consumes: ['application/x-www-form-urlencoded'],
    body: signInForm,
    response: { 303: MOVED, ...problemResponses(400, 401, 403, 413, 415, 429, 503) },
  };
  app.post('/sign-in', { schema: attempt, config: CONFIG }, async (request, reply) => {
    const { appHost: host, body } = request;
    const path = safePath(body.return);
    try {
      checkForm(request, body.form);
      const { token } = await signIn(options, request, { ...body, host });
      await endSession(request, options);
      return reply.setCookie(SESSION_COOKIE, token, COOKIE).redirect(path, 303);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const content = { host, path, username: body.username, error: error.message };
      return sendRefusal(reply, error, signInPage({ ...content, formToken: formToken(request, reply) }));
    }
  });
}

function signOut(fastify: FastifyInstance, options: AppsOptions): void {
  const schema = {
    summary: 'Sign out of an app by a form',
    consumes: ['application/x-www-form-urlencoded'],
    body: signOutForm,
    response: { 303: MOVED, ...problemResponses(400, 403, 413, 415, 503) },
  };
  fastify
    .withTypeProvider<ZodTypeProvider>()
    .post('/sign-out', { schema, config: CONFIG }, async (request, reply) => {
      checkForm(request, request.body.form);
      await endSession(request, options);
      return reply.clearCookie(SESSION_COOKIE, COOKIE).redirect(signInAddress(request.body.return), 303);
    });
}
