interface Props<T> {
  readonly name: string;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
}

/** Shows a few options side by side; one of them is selected. */
export function Choice<T extends string | number>({ name, options, value, onChoose }: Props<T>) {
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
