// A picture of a form: one that is chosen is uploaded, and its address is the field's value.
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
  const upload = (file: File): Promise<void> =>
    action.runNext(async () => {
      onChange((await uploadImage(api, file)).url);
      return 'Picture uploaded. It is kept once you save.';
    });
  return (
    <>
      <Picture label={label} url={value} onFile={upload} onRemove={() => onChange('')} />
      <Outcome {...action} />
    </>
  );
};
