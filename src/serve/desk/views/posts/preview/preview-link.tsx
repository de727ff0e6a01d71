// A link to the preview for who has no key, which ends after an hour.
import { useState } from 'preact/hooks';
import { useDesk, useTime } from '../../../context.ts';
import type { PreviewLink as Link } from '../../../records.ts';
import { useAction } from '../../../ui/hooks.ts';
import { Outcome } from '../../../ui/outcome.tsx';
import { Secret } from '../../../ui/secret.tsx';
import type { AnyPost, PostRoot } from '../writing/post-draft.ts';

type Props = { readonly root: PostRoot; readonly post: AnyPost };

export const PreviewLink = ({ root, post }: Props) => {
  const { api } = useDesk();
  const time = useTime();
  const action = useAction();
  const [isUngated, setUngated] = useState(false);
  const [made, setMade] = useState<Link | null>(null);
  const copy = (): Promise<void> =>
    action.run(async () => {
      const sent = { preview: { ungated: isUngated } };
      const path = `/${root}/${post.id}/preview/`;
      const { preview } = await api.send<{ preview: Link }>('POST', path, sent);
      setMade(preview);
      // Where the browser refuses, or has no clipboard, the link is there to be selected.
      await write(preview.url).catch(() => undefined);
      return null;
    });
  return (
    <div>
      <button type="button" disabled={action.isBusy} onClick={copy}>
        Copy preview link
      </button>{' '}
      {post.visibility !== 'public' && (
        <label>
          <input
            type="checkbox"
            checked={isUngated}
            onChange={(event) => setUngated(event.currentTarget.checked)}
          />{' '}
          It shows what only members may read
        </label>
      )}
      <Outcome {...action} />
      {made !== null && (
        <Secret
          key={made.url}
          label={`Whoever has this link sees the preview until ${time(made.expires_at)}`}
          secret={made.url}
        />
      )}
    </div>
  );
};

const write = async (text: string): Promise<void> => navigator.clipboard.writeText(text);
