// A field of date and time in the time zone of the publication.
import { useState } from 'preact/hooks';
import { useDesk } from '../../context.ts';
import { fromInput, toInput, zoneWords } from '../zone-time.ts';
import { Field } from './field.tsx';

type Props = {
  readonly label: string;
  /** In UTC; empty for none. */
  readonly value: string;
  /** What is wrong with it, in place of the zone. */
  readonly fault: string | null;
  readonly onChange: (value: string) => void;
};

export const TimeField = ({ label, value, fault, onChange }: Props) => {
  const { zone } = useDesk();
  // A year that is typed digit by digit is a date at each of them.
  const [typed, setTyped] = useState('');
  const isTyped = typed !== '' && fromInput(typed, zone) === value;
  return (
    <Field label={label} hint={fault ?? zoneWords(value || null, zone)}>
      {(props) => (
        <input
          {...props}
          type="datetime-local"
          value={isTyped ? typed : toInput(value, zone)}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            onChange(fromInput(event.currentTarget.value, zone));
          }}
        />
      )}
    </Field>
  );
};
