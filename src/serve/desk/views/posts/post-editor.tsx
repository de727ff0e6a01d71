// The editor of posts within the desk: its code is loaded when a post is opened.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useDesk } from '../../context.ts';
import { uploadImage } from '../../upload.ts';
import type { AnyPost, Body } from './post-draft.ts';

type Props = { readonly post: AnyPost | null; readonly onChange: (body: Body) => void };

/** What it holds begins with the post as it was when this was shown first; saving changes nothing in it. */
export const PostEditor = ({ post, onChange }: Props) => {
  const { api } = useDesk();
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onChange);
  latest.current = onChange;
  // Another one after somebody signed in again.
  const sender = useRef(api);
  sender.current = api;
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  useEffect(() => {
    let end = (): void => undefined;
    let isGone = false;
    const mount = async (): Promise<void> => {
      const { mountEditor } = await import('../../editor/index.ts');
      if (isGone || place.current === null) return;
      const { destroy } = mountEditor(place.current, {
        lexical: post?.lexical ?? null,
        html: post?.html ?? null,
        uploadImage: (file) => uploadImage(sender.current, file),
        onChange: (body) => latest.current(body),
      });
      end = destroy;
      setState('loaded');
    };
    mount().catch(() => setState('failed'));
    return () => {
      isGone = true;
      end();
    };
  }, []);
  return (
    <>
      {state === 'loading' && <p>Loading the editor…</p>}
      {state === 'failed' && <p role="alert">The editor was not loaded. Load the page again.</p>}
      <div ref={place} />
    </>
  );
};
