import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

interface ButtonProps {
  readonly icon: keyof typeof PATHS;
  readonly name: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  /** Whether the name is shown beside the icon. */
  readonly isLabelled?: boolean;
}

/** Shows a button with an icon and an accessible name. */
export const IconButton = ({ icon, name, onClick, disabled, isLabelled }: ButtonProps) => (
  <button
    type="button"
    className={isLabelled ? 'labelled' : 'icon-button'}
    aria-label={name}
    title={name}
    disabled={disabled}
    onClick={onClick}
  >
    <Icon name={icon} />
    {isLabelled && <span>{name}</span>}
  </button>
);

/** Shows a button with a text; `className` is its look. */
export const TextButton = ({ name, ...props }: ComponentProps<'button'> & { readonly name: string }) => (
  <button type="button" className="text-button" {...props}>
    {name}
  </button>
);

/** Shows a sign that is beside the word for it. */
export const Sign = ({ children }: { readonly children: string }) => (
  <span className="sign" aria-hidden="true">
    {children}
  </span>
);

/** Line icons on a 24 by 24 grid, in the colour of the text; hidden from screen readers. */
const PATHS = {
  first: 'M6 5v14M18 5.5v13L9 12z',
  previous: 'M15 5.5L8 12l7 6.5',
  play: 'M7 5l12 7-12 7z',
  playBackward: 'M17 5L5 12l12 7z',
  pause: 'M8 5v14M16 5v14',
  next: 'M9 5.5l7 6.5-7 6.5',
  last: 'M18 5v14M6 5.5v13l9-6.5z',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  whole: 'M4 12h16M7.5 8.5L4 12l3.5 3.5M16.5 8.5L20 12l-3.5 3.5',
  close: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  link: 'M10 14a4 4 0 0 0 6 .4l2.6-2.6a4 4 0 0 0-5.7-5.7L11.6 7.4M14 10a4 4 0 0 0-6-.4l-2.6 2.6a4 4 0 0 0 5.7 5.7l1.3-1.3',
  open: 'M3.5 18.5v-13h6l2 2.5h9v10.500zM3.500 10.500h17',
  save: 'M12 4v11M7 10.5l5 5 5-5M5 19.5h14',
  test: 'M9 3.500h6M10 3.500v6l-5 9.500a1 1 0 0 0 1 1.500h12a1 1 0 0 0 1-1.500l-5-9.500v-6M7.500 14.500h9',
  theme: 'M12 3.500a8.500 8.500 0 1 0 0 17zM12 3.500a8.500 8.500 0 0 1 0 17',
  keys: 'M9.300 9.200a2.800 2.800 0 1 1 3.900 2.600c-.9.400-1.200 1-1.200 2M12 17.200v.100',
  search: 'M10.500 4.500a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15 15l5 5',
  pin: 'M9 4h6l-1 6 3 3.500H7L10 10zM12 13.500V20',
  copy: 'M9 9h10.500v10.500H9zM5 15H4.500V4.500H15V5',
  down: 'M7 10l5 5 5-5',
  brand: 'M4 5.500h16v10.500H11l-4.500 3.800v-3.800H4zM8 10.700h2.200l1.300-2.500 1.700 5 1.200-2.500H16.500',
} as const;

/** Shows an icon. */
export const Icon = ({ name }: { readonly name: keyof typeof PATHS }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);

interface ChoiceProps<T> {
  readonly name: string;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
}

/** Shows a few options side by side; one of them is selected. */
export function Choice<T extends string | number>({ name, options, value, onChoose }: ChoiceProps<T>) {
  return (
    <fieldset className="choice" aria-label={name}>
      {options.map(([one, label]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChoose(one)}>
          {label}
        </button>
      ))}
    </fieldset>
  );
}

type PopoverProps = Readonly<{ className: string; label: ReactNode; children: ReactNode }>;

/** Shows a button that opens what is inside. Escape and a press outside close it. */
export function Popover({ className, label, children }: PopoverProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const press = ({ target }: Event) => {
      if (target instanceof Node && details.current?.contains(target) === false) details.current.open = false;
    };
    document.addEventListener('pointerdown', press);
    return () => document.removeEventListener('pointerdown', press);
  }, []);
  return (
    // The key works on everything inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <details ref={details} className={`popover ${className}`} onKeyDown={closeOnEscape}>
      <summary>
        {label}
        <Icon name="down" />
      </summary>
      {children}
    </details>
  );
}

function closeOnEscape(event: KeyboardEvent<HTMLDetailsElement>): void {
  const details = event.currentTarget;
  if (event.key !== 'Escape' || !details.open) return;
  event.stopPropagation();
  details.open = false;
  details.querySelector('summary')?.focus();
}
