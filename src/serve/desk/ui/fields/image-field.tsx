// A picture of a form: one that is chosen is uploaded, and its address is the field's value.
import { useRef } from 'preact/hooks';
import { useDesk } from '../../context.ts';
import { uploadImage } from '../../upload.ts';
import { useAction } from '../hooks.ts';
import { Outcome } from '../outcome.tsx';
import { Picture } from './picture.tsx';

type Props = {
  readonly label: string;
  /** The address; empty for none. */
  readonly value: string;
  readonly onChange: (url: string) => void;
};

export const ImageField = ({ label, value, onChange }: Props) => {
  const { api } = useDesk();
  const action = useAction();
  const newest = useRef(value);
  newest.current = value;
  /** What the outcome speaks of: with another picture, or none, it is stale. */
  const about = useRef(value);
  const upload = (file: File): Promise<void> =>
    action.runNext(async () => {
      const { url } = await uploadImage(api, file).finally(() => {
        about.current = newest.current;
      });
      about.current = url;
      onChange(url);
      return 'Picture uploaded. It is kept once you save.';
    });
  const { error, done } = about.current === value ? action : { error: null, done: null };
  return (
    <>
      <Picture label={label} url={value} onFile={upload} onRemove={() => onChange('')} />
      <Outcome error={error} done={done} />
    </>
  );
};
