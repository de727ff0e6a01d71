// One field of a form: its label, what it says about it, and the control in between.
import type { ComponentChild } from 'preact';
import { useId } from 'preact/hooks';

type Control = { readonly id: string; readonly 'aria-describedby'?: string };

type Props = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: (props: Control) => ComponentChild;
};

export const Field = ({ label, hint, children }: Props) => {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(hint !== undefined && { 'aria-describedby': hintId }) })}
      {hint !== undefined && (
        <small id={hintId} class="hint">
          {hint}
        </small>
      )}
    </div>
  );
};

type TextProps = Pick<Props, 'label' | 'hint'> & {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'email' | 'url' | 'search' | 'password';
  readonly rows?: number;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
};

/** A field of text; with `rows`, of many lines. */
export const TextField = ({ label, hint, value, onChange, type, rows, ...rest }: TextProps) => (
  <Field label={label} hint={hint}>
    {(props) =>
      rows === undefined ? (
        <input
          {...props}
          {...rest}
          dir="auto"
          // Which attributes go with which type is known where it is given.
          type={(type ?? 'text') as 'text'}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <textarea
          {...props}
          {...rest}
          dir="auto"
          rows={rows}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )
    }
  </Field>
);

type SelectProps<Value extends string> = Pick<Props, 'label' | 'hint'> & {
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
};

export const SelectField = <Value extends string>(props: SelectProps<Value>) => (
  <Field label={props.label} hint={props.hint}>
    {(control) => (
      <select
        {...control}
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value as Value)}
      >
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

type CheckProps = {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
};

export const CheckField = ({ label, isChecked, onChange }: CheckProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={isChecked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    {label}
  </label>
);
