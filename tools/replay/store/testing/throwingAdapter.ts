import { teamChat } from './teamChat.ts';

export const adapter = teamChat({ throwsAtName: 'Ada' });
