import { Access } from '#loopback/access.ts';
import { writeRedirectPage } from '#loopback/redirectPage.ts';
import { listenOnLoopback } from '../../net/sockets.ts';
import { type AccessHolder, type InspectorContent, inspectorApp } from './inspectorApp.ts';

interface Options extends InspectorContent {
  /** 0 selects any free port. */
  readonly port: number;
  /** Returns random bytes of the operating system. */
  readonly random: (bytes: number) => Buffer;
}

/** A running inspector server. */
export interface RunningInspector {
  /** Returns an address that admits one browser, once. */
  invitation(): string;
  /** Returns the address of a page in this folder that admits one browser, once (see `writeRedirectPage`). */
  redirectPage(folder: string): string;
  /** Closes all connections and frees the port. */
  stop(): Promise<unknown>;
}

const PROGRAM = { name: 'The inspector', command: 'parley-replay open' };

/**
 * Serves the inspector to this machine only, with the access rules of the web host (contract §2, §7).
 * @throws {UsageError} when the port is not available.
 */
export async function startInspector({ port, random, ...content }: Options): Promise<RunningInspector> {
  const accessHolder: AccessHolder = { access: undefined };
  const app = await inspectorApp(content, accessHolder);
  const { apiUrl } = await listenOnLoopback(app, port);
  const access = new Access({ port: Number(new URL(apiUrl).port), random, program: PROGRAM });
  accessHolder.access = access;
  return {
    invitation: () => access.invitation(),
    redirectPage: (folder) => writeRedirectPage(folder, access),
    stop: () => app.close(),
  };
}
