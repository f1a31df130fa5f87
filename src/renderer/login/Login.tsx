import { useEffect, useId, useRef, useState } from 'react';
import { type Credentials, EMAIL_ERROR, NAME_ERROR, PASSWORD_ERROR } from '#shared/protocol/credentials.ts';
import { systemClock } from '#shared/time/systemClock.ts';
import { EyeIcon } from '#ui/base/icons.tsx';
import type { Bridge } from '../base/bridge.ts';
import { Mark } from '../base/Mark.tsx';
import { useCell } from '../base/useCell.ts';
import { Field } from './Field.tsx';
import { createLoginForm } from './loginForm.ts';

/**
 * Shows the form for sign-in and registration (spec §2.1). When the person's data is deleted, the form becomes empty: its text was not
 * sent.
 */
export function Login({ bridge: { parley, tools } }: { readonly bridge: Bridge }) {
  const [deletions, setDeletions] = useState(0);
  useEffect(() => tools.on('dataDeleted', () => setDeletions((count) => count + 1)), [tools]);
  return <LoginForm key={deletions} parley={parley} />;
}

function LoginForm({ parley }: Pick<Bridge, 'parley'>) {
  const { credentials, change, submit, state } = useLoginForm(parley);
  const lineId = useId();
  return (
    <div className="login">
      <form
        ref={focusFirstField}
        className="card"
        noValidate
        aria-busy={state.isBusy}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Mark />
        <h2>Welcome to Parley</h2>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the role is what the contract names */}
        <p id={lineId} className="form-line" role="status" data-error={state.isError}>
          {state.line}
        </p>
        <Fields
          credentials={credentials}
          change={change}
          errorId={(error) => (state.line === error ? lineId : undefined)}
        />
        <button type="submit" className="primary" aria-disabled={state.isBusy}>
          Continue
        </button>
      </form>
    </div>
  );
}

interface FieldsProps {
  readonly credentials: Credentials;
  readonly change: (part: Partial<Credentials>) => void;
  /** Returns the id of the element that shows an error, while it shows that error. */
  readonly errorId: (error: string) => string | undefined;
}

function Fields({ credentials, change, errorId }: FieldsProps) {
  const [isPlain, setPlain] = useState(false);
  return (
    <>
      <Field
        label="Email"
        value={credentials.email}
        onInput={(email) => change({ email })}
        inputMode="email"
        autoComplete="username"
        errorId={errorId(EMAIL_ERROR)}
      />
      <Field
        label="Password"
        type={isPlain ? 'text' : 'password'}
        value={credentials.password}
        onInput={(password) => change({ password })}
        autoComplete={credentials.name === '' ? 'current-password' : 'new-password'}
        errorId={errorId(PASSWORD_ERROR)}
      >
        <ShowCharacters isOn={isPlain} onChange={setPlain} />
      </Field>
      <Field
        label="Name"
        note="Only to register"
        value={credentials.name}
        onInput={(name) => change({ name })}
        autoComplete="name"
        errorId={errorId(NAME_ERROR)}
      />
    </>
  );
}

/** Returns the fields' values, the form's state and the functions that change them. */
function useLoginForm(parley: Bridge['parley']) {
  const [credentials, setCredentials] = useState<Credentials>({ email: '', password: '', name: '' });
  const [form] = useState(() =>
    createLoginForm({
      clock: systemClock(globalThis),
      signIn: (entered) => parley.invoke('auth', entered),
    }),
  );
  useEffect(() => form.dispose, [form]);
  const latest = useRef(credentials);
  const change = (part: Partial<Credentials>) => {
    latest.current = { ...latest.current, ...part };
    setCredentials(latest.current);
    form.input(latest.current);
  };
  return { credentials, change, submit: form.submit, state: useCell(form.state) };
}

function focusFirstField(form: HTMLFormElement | null): void {
  form?.querySelector('input')?.focus();
}

interface ShowCharactersProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

const ShowCharacters = ({ isOn, onChange }: ShowCharactersProps) => (
  <button
    type="button"
    className="quiet"
    aria-label="Show characters"
    aria-pressed={isOn}
    onClick={() => onChange(!isOn)}
  >
    <EyeIcon />
  </button>
);
