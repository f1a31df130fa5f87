/** How a person runs the tool: the commands that it prints begin with this. The build of the npm package names its own. */
export const REPLAY: string = import.meta.env.REPLAY_COMMAND ?? 'npm run replay --';
