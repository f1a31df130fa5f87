/** Performs a step of a story; returns what it caused, in lines. */
type Perform = (step: string) => readonly string[] | Promise<readonly string[]>;

/**
 * Tells stories, for a golden: each title, and what each step caused.
 *
 * @param stories the steps of each by its title, with semicolons between them
 * @param begin begins a story
 */
export async function tellStories(
  stories: Readonly<Record<string, string>>,
  begin: () => Perform | Promise<Perform>,
): Promise<string> {
  const told: string[] = [];
  for (const [title, steps] of Object.entries(stories)) {
    const perform = await begin();
    const lines = [title];
    for (const step of steps.split('; ')) lines.push([step, ...(await perform(step))].join('\n    '));
    told.push(`${lines.join('\n  ')}\n`);
  }
  return told.join('\n');
}
