/** A subject of stories. */
interface Subject {
  /** The steps by name; the rest of a step is their argument. */
  readonly acts: Readonly<Record<string, (argument: string) => unknown>>;
  /** Receives what happens, for the step in which it happens. */
  readonly happened: string[];
  /** Returns the state in lines. */
  readonly state: () => readonly string[];
}

/**
 * Tells stories, for a golden: each title, each step with what happened, and the lines of the state that were not in it before.
 *
 * @param stories the steps of each by its title, with semicolons between them
 */
export async function tellStories(
  stories: Readonly<Record<string, string>>,
  begin: () => Subject | Promise<Subject>,
): Promise<string> {
  const told: string[] = [];
  for (const [title, steps] of Object.entries(stories)) {
    const { acts, happened, state } = await begin();
    const lines = [title];
    let before: readonly string[] = [];
    for (const step of steps.split('; ')) {
      const [, name = '', argument = ''] = /^(\w+) ?(.*)$/u.exec(step) ?? [];
      if (acts[name] === undefined) throw new Error(`there is no step ${step}`);
      await acts[name](argument);
      const now = state();
      const news = now.filter((line) => !before.includes(line));
      lines.push([step, ...happened.splice(0), ...news].join('\n    '));
      before = now;
    }
    told.push(`${lines.join('\n  ')}\n`);
  }
  return told.join('\n');
}
