import type { ComponentType } from 'react';
import { CloseIcon, MinimizeIcon } from '#ui/base/icons.tsx';
import { type WindowActs, useWindowActs } from '../base/WindowActs.ts';

type Name = 'Minimize' | 'Close';

const BUTTONS: Readonly<
  Record<Name, { readonly act: keyof WindowActs & Lowercase<Name>; readonly Icon: ComponentType }>
> = {
  Minimize: { act: 'minimize', Icon: MinimizeIcon },
  Close: { act: 'close', Icon: CloseIcon },
};

interface Props {
  /** The buttons in the system's order. */
  readonly names: readonly Name[];
}

/**
 * Shows the buttons that minimize and close the window, which look like those of the system (`titleBar.css`). The system's own buttons have other
 * names, and the web host has none.
 */
export function WindowButtons({ names }: Props) {
  const acts = useWindowActs();
  return (
    <div className="window-buttons">
      {names.map((name) => {
        const { act, Icon } = BUTTONS[name];
        return (
          <button key={name} type="button" data-act={act} aria-label={name} title={name} onClick={acts[act]}>
            <Icon />
          </button>
        );
      })}
    </div>
  );
}
