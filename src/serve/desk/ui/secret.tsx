// A secret that the server shows once: here until the view is left.
import { useState } from 'preact/hooks';

type Props = { readonly label: string; readonly secret: string };

export const Secret = ({ label, secret }: Props) => {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(secret).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div class="secret">
      <strong>{label}</strong>
      <code>{secret}</code>
      <button type="button" onClick={copy}>
        Copy
      </button>{' '}
      <span role="status">{isCopied && 'Copied.'}</span>
    </div>
  );
};
