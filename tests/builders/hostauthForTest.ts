import { fakeHelper, type TestApp, testApp } from '#hostauth/testing/testApp.ts';

/** A password that the sign-in form accepts (spec §2.1); the service's users all have it. */
export const HOST_PASSWORD = 'sesame1!';

interface TestHostauth extends TestApp {
  /** Lets the account of a user end, as a lock by an administrator does. */
  lock(username: string): void;
}

/**
 * Starts the host-account service with users that need no PAM: every name signs in with `HOST_PASSWORD`, except `busy`, for whom
 * the service is too busy. It ends with the test, which also fails when its log contains a password or a token.
 */
export async function hostauthForTest(options: Parameters<typeof testApp>[0] = {}): Promise<TestHostauth> {
  const helper = fakeHelper({
    async authenticate({ username, password }) {
      if (username === 'busy') return { kind: 'unavailable', reason: 'busy' };
      return password === HOST_PASSWORD ? { kind: 'accepted' } : { kind: 'refused', reason: 'credentials' };
    },
    close: async () => undefined,
  });
  const app = await testApp({ makeHelper: () => helper, ...options });
  return { ...app, helper, lock: (username) => void helper.ended.set(username, 'locked') };
}
