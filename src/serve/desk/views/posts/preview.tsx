// A saved post as readers will see its text: in a frame that runs nothing and has no address. Its styles fetch nothing.
import { useEffect, useRef } from 'preact/hooks';
import { BASE } from '../../api.ts';
import { hereOf } from '../../ui/here.ts';
import { withStillStyles } from '../../ui/still-style.ts';
import type { AnyPost } from './post-draft.ts';

type Props = {
  readonly post: AnyPost;
  readonly isChanged: boolean;
  readonly onClose: () => void;
};

export const Preview = ({ post, isChanged, onClose }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="preview" aria-label="Preview" onClose={onClose}>
      <div class="head">
        <h2>Preview</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      {isChanged && <p class="note">What is not saved yet is not shown here.</p>}
      <iframe title={post.title} sandbox="" srcdoc={pageOf(post)} />
    </dialog>
  );
};

const pageOf = ({ title, feature_image, html, url }: AnyPost): string => {
  const picture = feature_image && (hereOf(feature_image) ?? feature_image);
  const image = picture ? `<img src="${escaped(picture)}" alt="">` : '';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title>
<link rel="stylesheet" href="${BASE}/desk/preview.css"><article><h1>${escaped(title)}</h1>${image}${withStillStyles(withFilesHere(html ?? '', url))}</article></html>`;
};

/** Pictures of the text, which the public site may not have yet. */
const withFilesHere = (html: string, url: string): string => {
  const site = URL.canParse(url) ? new URL(url).origin : '';
  return site === '' ? html : html.replaceAll(`"${site}${BASE}/content/`, `"${BASE}/content/`);
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
