// A place for one picture: chosen, dropped or pasted.
import { useId, useState } from 'preact/hooks';
import { picturesOf } from '../upload.ts';

type Props = {
  readonly label: string;
  readonly url: string;
  readonly onFile: (file: File) => void;
  readonly onRemove: () => void;
};

export const Picture = ({ label, url, onFile, onRemove }: Props) => {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (event: Event, transfer: DataTransfer | null): void => {
    const [file] = picturesOf(transfer);
    setOver(false);
    if (file === undefined) return;
    event.preventDefault();
    onFile(file);
  };
  return (
    <fieldset
      class={isOver ? 'picture over' : 'picture'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => take(event, event.dataTransfer)}
      onPaste={(event) => take(event, event.clipboardData)}
    >
      <label for={id}>{label}</label>
      {url !== '' && <img src={url} alt="" />}
      <input
        id={id}
        type="file"
        accept="image/*"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file !== undefined) onFile(file);
          event.currentTarget.value = '';
        }}
      />
      {url === '' ? (
        <small class="hint">Choose one, or drop or paste it here.</small>
      ) : (
        <button type="button" onClick={onRemove}>
          Remove the picture
        </button>
      )}
    </fieldset>
  );
};
