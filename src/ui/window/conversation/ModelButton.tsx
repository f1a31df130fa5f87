import { useSelector } from 'react-redux';
import { assistantModelRequested, dialogRequested } from '#shared/actions/userActions.ts';
import { dialogClosed } from '#shared/actions/windowActions.ts';
import type { DialogState } from '#shared/actions/windowSchemas.ts';
import type { SharedState } from '#shared/store/rootReducer.ts';
import { NewerIcon } from '#ui/base/icons.tsx';
import { Menu, type MenuEntry, type MenuGroup } from '../base/Menu.tsx';
import { useWindowState } from '../base/Picture.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';
import { assistantName } from './Composer.tsx';

/** Shows who answers: the model, with a menu of the server's models and the way to the settings, or that it is the demonstration. Shows nothing for another platform. */
export function ModelButton() {
  const inUse = useWindowState('assistant');
  if (inUse === null) return null;
  return inUse.isDemonstration ? <Demonstration /> : <ModelMenu model={inUse.model} />;
}

const settings = dialogRequested({ dialog: 'assistant' });

function Demonstration() {
  const { send } = useWindowCommands();
  return (
    <div className="model">
      <span className="model-name">Demonstration</span>
      <button type="button" className="quiet connect" onClick={() => send(settings)}>
        Connect a model…
      </button>
    </div>
  );
}

const selectName = ({ conversation }: SharedState) => assistantName(conversation, 'Parley');

function ModelMenu({ model }: { readonly model: string | null }) {
  const { send, dispatch } = useWindowCommands();
  const labelled = useSelector(selectName);
  const shown = useWindowState('dialog');
  const name = model ?? labelled;
  return (
    <Menu
      className="model"
      name={`Model: ${name}`}
      title="The model that answers"
      isOpen={shown?.dialog === 'models'}
      groups={modelGroups(shown)}
      onOpen={() => send(dialogRequested({ dialog: 'models' }))}
      onClose={() => dispatch(dialogClosed())}
    >
      <bdi className="model-name">{name}</bdi>
      <NewerIcon />
    </Menu>
  );
}

/** Returns the groups of the menu: the models of the server, or what is known of them, and the settings. */
export const modelGroups = (shown: DialogState): readonly MenuGroup[] => [
  shown?.dialog === 'models' ? modelEntries(shown.result) : [],
  [{ label: 'Settings of the assistant…', choose: ({ send }) => send(settings) }],
];

const ASKING = 'Asking the server for its models…';

type Result = Extract<DialogState, { readonly dialog: 'models' }>['result'];

function modelEntries(result: Result): MenuGroup {
  if (result?.kind !== 'tested') return [{ label: result?.kind === 'failed' ? result.message : ASKING }];
  const { model, models } = result;
  const offered = new Set(models.includes(model) ? models : [model, ...models]);
  return Array.from(offered, (one): MenuEntry => ({
    label: one,
    isChosen: one === model,
    choose: ({ send }) => send(assistantModelRequested(one)),
    isKeptOpen: true,
  }));
}
