import { expect } from 'vitest';
import { type Step, conversation, foldingSocket } from './answeringConversation.ts';

/** What happens in a conversation: its title, its steps, and the conversation if it does not begin empty. */
export type Story = readonly [
  title: string,
  steps: readonly Step[],
  begin?: () => ReturnType<typeof conversation>,
];

/** Resolves with what happens in the stories, as a text. Each time, a client that comes at the end sees what the other sees, and what is stored. */
export async function tell(stories: readonly Story[]): Promise<string> {
  const sections: string[] = [];
  for (const [title, steps, begin = conversation] of stories) {
    const { play, story, clock, live, ada } = begin();
    await play(...steps);
    sections.push(`# ${title}\n${story.join('\n')}\n  next timer: ${clock.nextDue() ?? 'none'}\n`);
    const later = foldingSocket();
    live.addSocket(later.socket);
    expect(later.conversation()).toEqual(ada.conversation());
    expect(live.stored()).toEqual(later.conversation());
  }
  return sections.join('\n');
}
