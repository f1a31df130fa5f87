import { globalTeamChat } from './teamChat.ts';

export const adapter = globalTeamChat(true);
