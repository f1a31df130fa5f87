import { Icon, type IconName } from './icons.tsx';

interface Props {
  readonly icon: IconName;
  readonly name: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
}

/** Shows a button with an icon and an accessible name. */
export const IconButton = ({ icon, name, onClick, disabled, pressed }: Props) => (
  <button
    type="button"
    className="icon-button"
    aria-label={name}
    title={name}
    disabled={disabled}
    aria-pressed={pressed}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
);
