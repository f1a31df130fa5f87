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
    const path = join(root, 'src', name);
    const { module } = await runnerImport(path, { configFile: false, root, logLevel: 'error' });
    return module;
  };
  const { ACTION_SECTIONS, entriesOf } = await load('shared/actions/actionTable.ts');
  const { LOCAL_STATE } = await load('shared/actions/localState.ts');
  const { payloadFields } = await load('shared/actions/payloadFields.ts');
  const sync = entriesOf(await load('renderer/store/syncActions.ts'));
  const sections = mapValues({ ...ACTION_SECTIONS, sync }, (entries) =>
    mapValues(entries, (entry) => ({ ...entry, payload: payloadFields(entry.payload) })),
  );
  return actionsPage(sections, LOCAL_STATE);
}

/** @param {object} object @param {(value: any) => unknown} map */
const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
