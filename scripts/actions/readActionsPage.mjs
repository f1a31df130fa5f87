import { join } from 'node:path';
import { runnerImport } from 'vite';
import { actionsPage } from './actionsPage.mjs';

/**
 * Returns docs/actions.md as the list of actions of a project says it.
 *
 * @param {string} root the folder of the project
 */
export async function readActionsPage(root) {
  const load = async (/** @type {string} */ name) => {
    const path = join(root, 'src/shared/actions', name);
    const { module } = await runnerImport(path, { configFile: false, root, logLevel: 'error' });
    return module;
  };
  const { ACTION_SECTIONS } = await load('actionList.ts');
  const { LOCAL_STATE } = await load('localState.ts');
  return actionsPage(ACTION_SECTIONS, LOCAL_STATE);
}
