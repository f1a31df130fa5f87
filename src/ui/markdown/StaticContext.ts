import { createContext } from 'react';

/** Whether Markdown is drawn outside of a window: without buttons, and without what only the window's style sheet hides. */
export const StaticContext = createContext(false);
