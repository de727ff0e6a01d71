// A saved post as the page that readers will have, at the width of a phone, a tablet or a desk.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useDesk } from '../../../context.ts';
import { Failed } from '../../../ui/failed.tsx';
import { useLoaded } from '../../../ui/hooks.ts';
import type { AnyPost, PostRoot } from '../writing/post-draft.ts';
import { PreviewLink } from './preview-link.tsx';
import { previewPage } from './preview-page.ts';

type Props = {
  readonly root: PostRoot;
  readonly post: AnyPost;
  readonly isChanged: boolean;
  readonly hasLinks: boolean;
  readonly onClose: () => void;
};

const WIDTHS = ['Phone', 'Tablet', 'Desktop'] as const;

const NARROW = 768;

export const Preview = ({ root, post, isChanged, hasLinks, onClose }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>(() =>
    innerWidth < NARROW ? 'Phone' : 'Desktop',
  );
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="preview" aria-label="Preview" onClose={onClose}>
      <div class="head">
        <h2>Preview</h2>
        <fieldset class="widths">
          <legend class="visually-hidden">Width</legend>
          {WIDTHS.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="preview-width"
                checked={name === width}
                onChange={() => setWidth(name)}
              />
              {name}
            </label>
          ))}
        </fieldset>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      {isChanged && <p class="note">Unsaved changes are not shown here.</p>}
      {post.visibility !== 'public' && <p class="hint">Shown as readers with access see it.</p>}
      {hasLinks && <PreviewLink {...{ root, post }} />}
      <Frame {...{ root, post, width }} />
    </dialog>
  );
};

type FrameProps = Pick<Props, 'root' | 'post'> & { readonly width: string };

const Frame = ({ root, post, width }: FrameProps) => {
  const { api, site } = useDesk();
  const { value, error } = useLoaded(
    () => api.get<{ preview: { html: string | null } }>(`/${root}/${post.id}/preview/`),
    [api, root, post.id, post.updated_at],
  );
  const html = value?.preview.html ?? null;
  const isLoading = value === null && error === null;
  const page = useMemo(
    () => (isLoading ? '' : previewPage(html, post, site?.url ?? '')),
    [isLoading, html, post, site],
  );
  return (
    <>
      <Failed error={error} />
      {isLoading ? (
        <p role="status">Rendering the page…</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by keys
        <section class="frame" aria-label="Page" tabIndex={0}>
          <iframe class={width.toLowerCase()} title={post.title} sandbox="" srcdoc={page} />
        </section>
      )}
    </>
  );
};
