import { type InspectorClient, SupersededError } from '../../protocol/client.ts';

/**
 * Returns a client of the newest session: a request about an older one, which was loaded before, fails when its answer arrives.
 *
 * @throws {SupersededError} from a request, when another session has been loaded since.
 */
export function sessionClient(client: InspectorClient): InspectorClient {
  let loads = 0;
  return {
    ...client,
    async request(name, params) {
      if (name === 'load') loads++;
      const load = loads;
      try {
        return await client.request(name, params);
      } finally {
        // Also instead of the error about a session that is not shown any more.
        // oxlint-disable-next-line no-unsafe-finally
        if (load !== loads) throw new SupersededError('Another session was opened.');
      }
    },
  };
}
