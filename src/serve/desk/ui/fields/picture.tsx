// A place for one picture: chosen, dropped or pasted.
import { useId, useState } from 'preact/hooks';
import { picturesOf } from '../../upload.ts';
import { hereOf } from '../here.ts';

type Props = {
  readonly label: string;
  readonly url: string;
  readonly onFile: (file: File) => void;
  readonly onRemove: () => void;
};

export const Picture = ({ label, url, onFile, onRemove }: Props) => {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const [broken, setBroken] = useState<readonly string[]>([]);
  const shown = [hereOf(url), url].find((one) => one && !broken.includes(one)) ?? null;
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
      {shown !== null && <img src={shown} alt="" onError={() => setBroken([...broken, shown])} />}
      {url !== '' && shown === null && (
        <p class="hint">The picture cannot be shown: there is none at {url}.</p>
      )}
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
