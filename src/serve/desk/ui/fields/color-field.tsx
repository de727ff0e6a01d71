// A colour, as digits and by the browser's own choice of colours.
import { Field } from './field.tsx';

type Props = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

const HEX = /^#[0-9a-f]{6}$/i;
/** A field of colours always shows one. */
const NONE = '#808080';

export const ColorField = ({ label, value, onChange }: Props) => (
  <Field label={label} hint="Such as #1f5f7a. Empty: a muted blue.">
    {(props) => (
      <span class="color">
        <input
          {...props}
          type="text"
          maxLength={50}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        <input
          type="color"
          aria-label={`${label}, chosen`}
          value={HEX.test(value) ? value : NONE}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </span>
    )}
  </Field>
);
