/** Starts the server on a port of 127.0.0.1; 0 selects any free port. */
export function startServer(port: number): Promise<{
  readonly url: string;
  readonly socketUrl: string;
  stop(): Promise<void>;
}>;
