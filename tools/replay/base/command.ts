const OF_PACKAGE: string | undefined = import.meta.env.REPLAY_COMMAND;

/** Whether the tool is the installed npm package, whose build names its command; else it is that of this checkout. */
export const isInstalled = OF_PACKAGE !== undefined;

/** How a person runs the tool: the commands that it prints begin with this. */
export const REPLAY = OF_PACKAGE ?? 'npm run replay --';
