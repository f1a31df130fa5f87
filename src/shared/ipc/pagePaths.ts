/** The paths of our pages. The preload decides by them what a page gets, so they are of main and of the preload. */

/** The messenger's page. The web host serves it as `/` too. */
export const MESSENGER_PATH = '/index.html';
/** The inspector's page. */
export const INSPECTOR_PATH = '/inspector/index.html';
