import { Access } from '#loopback/access.ts';
import { writeRedirectPage } from '#loopback/redirectPage.ts';
import { listenOnLoopback } from '../../net/sockets/loopback.ts';
import { type Doors, type InspectorContent, inspectorApp } from './inspectorApp.ts';

interface Options extends InspectorContent {
  /** 0 takes any. */
  readonly port: number;
  /** Gives that many random bytes, from the system's source. */
  readonly random: (bytes: number) => Buffer;
}

/** An inspector that is served. */
export interface RunningInspector {
  /** An address that lets one browser in, once. */
  invitation(): string;
  /** The address of a page in this folder that lets one browser in, once (see `writeRedirectPage`). */
  redirectPage(folder: string): string;
  /** Parts with everyone and frees the port. */
  stop(): Promise<unknown>;
}

const PROGRAM = { name: 'The inspector', command: 'parley-replay open' };

/**
 * Serves the inspector on this machine alone, by the web host's rules of access (contract §2, §7).
 * @throws {UsageError} when the port cannot be had.
 */
export async function startInspector({ port, random, ...content }: Options): Promise<RunningInspector> {
  const doors: Doors = { access: undefined };
  const app = await inspectorApp(content, doors);
  const { apiUrl } = await listenOnLoopback(app, port);
  const access = new Access({ port: Number(new URL(apiUrl).port), random, program: PROGRAM });
  doors.access = access;
  return {
    invitation: () => access.invitation(),
    redirectPage: (folder) => writeRedirectPage(folder, access),
    stop: () => app.close(),
  };
}
