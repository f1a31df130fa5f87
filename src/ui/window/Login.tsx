import { type HTMLInputTypeAttribute, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { EMAIL_ERROR, FORM_HINT, NAME_ERROR, PASSWORD_ERROR } from '#shared/protocol/credentials.ts';
import { charactersShown } from '#shared/actions/windowActions.ts';
import { EyeIcon } from '#ui/base/icons.tsx';
import { Mark } from './base/Mark.tsx';
import { useLive, useWindowState } from './base/Picture.ts';
import { useWindowCommands } from './base/WindowCommands.ts';

/** Shows the form for sign-in and registration (spec §2.1). A cleared form is another one: its password is dropped too. */
export function Login() {
  const { cleared } = useWindowState('signInForm');
  return <LoginForm key={cleared} />;
}

function LoginForm() {
  const { error, isBusy } = useWindowState('signInForm');
  const { focus, submitSignIn } = useWindowCommands();
  const form = useRef<HTMLFormElement>(null);
  const lineId = useId();
  const live = useLive();
  useLayoutEffect(() => focus(form.current?.querySelector('input')), [focus]);
  return (
    <div className="login">
      <form
        ref={form}
        className="card"
        noValidate
        aria-busy={isBusy}
        onSubmit={(event) => {
          event.preventDefault();
          submitSignIn();
        }}
      >
        <Mark />
        <h2>Welcome to Parley</h2>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the role is what the contract names */}
        <p id={lineId} className="form-line" role="status" aria-live={live} data-error={error !== null}>
          {error ?? FORM_HINT}
        </p>
        <Fields errorId={(shown) => (error === shown ? lineId : undefined)} />
        <button type="submit" className="primary" aria-disabled={isBusy}>
          Continue
        </button>
      </form>
    </div>
  );
}

/** `errorId` returns the id of the element that shows an error, while it shows that error. */
function Fields({ errorId }: { readonly errorId: (error: string) => string | undefined }) {
  const { email, name, showsCharacters } = useWindowState('signInForm');
  const { dispatch, editSignIn } = useWindowCommands();
  return (
    <>
      <Field
        label="Email"
        value={email}
        onInput={(entered) => editSignIn({ email: entered })}
        inputMode="email"
        autoComplete="username"
        errorId={errorId(EMAIL_ERROR)}
      />
      <Field
        label="Password"
        type={showsCharacters ? 'text' : 'password'}
        onInput={(password) => editSignIn({ password })}
        autoComplete={name === '' ? 'current-password' : 'new-password'}
        errorId={errorId(PASSWORD_ERROR)}
      >
        <button
          type="button"
          className="quiet"
          aria-label="Show characters"
          aria-pressed={showsCharacters}
          onClick={() => dispatch(charactersShown({ isShown: !showsCharacters }))}
        >
          <EyeIcon />
        </button>
      </Field>
      <Field
        label="Name"
        note="Only to register"
        value={name}
        onInput={(entered) => editSignIn({ name: entered })}
        autoComplete="name"
        errorId={errorId(NAME_ERROR)}
      />
    </>
  );
}

interface FieldProps {
  readonly label: string;
  /** `undefined`: the value is only in the element. */
  readonly value?: string;
  readonly onInput: (value: string) => void;
  readonly autoComplete: string;
  /** The id of the element that shows this field's error, while it does. */
  readonly errorId?: string | undefined;
  readonly type?: HTMLInputTypeAttribute;
  readonly inputMode?: 'email' | 'text';
  /** A short note beside the label. */
  readonly note?: string;
  /** Shown at the end of the field. */
  readonly children?: ReactNode;
}

/** Shows a labelled text field. */
function Field({ label, value, onInput, errorId, type = 'text', note, children, ...rest }: FieldProps) {
  const id = useId();
  const noteId = useId();
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={id}>{label}</label>
        {note !== undefined && (
          <span id={noteId} className="field-note">
            {note}
          </span>
        )}
      </div>
      <div className="field-box">
        <input
          id={id}
          type={type}
          dir="auto"
          value={value}
          onChange={(event) => onInput(event.target.value)}
          aria-invalid={errorId !== undefined}
          aria-describedby={errorId ?? (note === undefined ? undefined : noteId)}
          autoCapitalize="none"
          spellCheck={false}
          {...rest}
        />
        {children}
      </div>
    </div>
  );
}
