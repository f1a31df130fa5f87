import { startWindow } from '#renderer/startWindow.ts';

// A window without React and the listeners of the DOM. The simulated person uses what the components use: the commands, the form and the store.
export const { store, commands, signInForm } = startWindow();
