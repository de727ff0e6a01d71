// Signing in with an admin key, and what a first run needs to know.
import { useState } from 'preact/hooks';
import { createApi, sentenceOf } from '../api.ts';
import { type AdminKey, parseKey } from '../session.ts';
import { Failed } from '../ui/failed.tsx';
import { Field } from '../ui/fields/field.tsx';

type Props = { readonly reason: string | null; readonly onEnter: (key: AdminKey) => void };

const NO_KEY =
  'This is not an admin key. One has 24 characters, a colon and 64 characters, of 0 to 9 and a to f.';
const INSECURE =
  'Browsers sign tokens only on pages that are loaded over https, or from this computer. Open the desk over https or at http://127.0.0.1.';

export const SignIn = ({ reason, onEnter }: Props) => {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(isSecureContext ? reason : INSECURE);
  const [isBusy, setBusy] = useState(false);
  const enter = async (event: Event): Promise<void> => {
    event.preventDefault();
    const key = parseKey(text);
    if (key === null) return setError(NO_KEY);
    setBusy(true);
    try {
      await createApi(key, () => undefined).get('/desk/');
      onEnter(key);
    } catch (failure) {
      setError(sentenceOf(failure));
      setBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <h1>Desk</h1>
      <p>Write posts, look after members, and see what the publication does.</p>
      <form onSubmit={enter}>
        <Field label="Admin key" hint="It stays in this tab and is never sent.">
          {(props) => (
            <input
              {...props}
              type="password"
              autocomplete="current-password"
              spellcheck={false}
              required
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </Field>
        <Failed error={error} />
        <button type="submit" class="main" disabled={isBusy}>
          Sign in
        </button>
      </form>
      <details open>
        <summary>First time here? Where the key is</summary>
        <p>
          The first start made one. It is in the file <code>data/admin-key</code>, and this command
          shows it in the folder of the publication:
        </p>
        <pre>
          <code>npx prepress status --secrets</code>
        </pre>
      </details>
    </main>
  );
};
