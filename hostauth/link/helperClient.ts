import type { Helper } from './helperProtocol.ts';
import { HelperError, HelperLink, type HelperLinkOptions } from './helperLink.ts';

/** Creates the client of the helper. When the helper does not answer, results are `unavailable` or `unknown`; no call rejects. */
export function createHelperClient(options: HelperLinkOptions): Helper {
  const link = new HelperLink(options);
  return {
    authenticate: ({ username, password }) =>
      link.call('authenticate', { username, password }).catch((error: unknown) => ({
        kind: 'unavailable',
        reason: 'helper',
        detail: reasonOf(error),
      })),
    checkAccount: (account) => link.call('checkAccount', { account }).catch(unknownState),
    isAdministrator: (account) => link.call('isAdministrator', { account }).catch(unknownState),
    createUser: ({ account, username, password }) =>
      link.call('createUser', { account, username, password }).catch((error: unknown) => ({
        kind: 'unavailable',
        detail: reasonOf(error),
      })),
    async cancelWaiting() {
      // Without a link there is nothing that waits.
      if (link.isOpen) await link.call('cancelWaiting', {}).catch(reasonOf);
    },
    close: async () => link.close(),
  };
}

const unknownState = (error: unknown) => ({ state: 'unknown', detail: reasonOf(error) }) as const;

/** Returns the reason of a `HelperError`. @throws any other error. */
function reasonOf(error: unknown): string {
  if (error instanceof HelperError) return error.message;
  throw error;
}
