// The link to the page of a published post, once the page is there: until then it says so, and looks again. Where Prepress
// makes no pages, another program makes them elsewhere, and nothing is known of them; this server has none.
import { useState } from 'preact/hooks';
import { BASE } from '../../api.ts';
import { useDesk } from '../../context.ts';
import { useLoaded } from '../../ui/hooks.ts';
import type { AnyPost } from './writing/post-draft.ts';

type Props = {
  readonly post: Pick<AnyPost, 'url' | 'status'>;
  /** Whether pages for readers are made. */
  readonly hasPages: boolean;
};

const EVERY_MS = 2_000;

export const ViewPost = ({ post: { url }, hasPages }: Props) =>
  hasPages || !url.startsWith(`${location.origin}/`) ? (
    <PageLink url={url} hasPages={hasPages} />
  ) : null;

type PageLinkProps = Pick<AnyPost, 'url'> & Pick<Props, 'hasPages'>;

const PageLink = ({ url, hasPages }: PageLinkProps) => {
  const { site } = useDesk();
  const isKnown = hasPages && site !== null && url.startsWith(site.url);
  const path = isKnown ? url.slice(site.url.length) : null;
  const [isThere, setThere] = useState(path === null);
  const { value } = useLoaded(
    async () => {
      const found = path === null || (await isPageThere(path));
      setThere(found);
      return found;
    },
    [path],
    isThere ? undefined : EVERY_MS,
  );
  if (!isThere) return value === null ? null : <span>Its page is not ready yet.</span>;
  return (
    <a class="unbroken" href={url} target="_blank" rel="noreferrer">
      View post
    </a>
  );
};

/** This server has the pages that its publication makes, wherever else they stand. */
const isPageThere = async (path: string): Promise<boolean> =>
  (await fetch(`${BASE}/${path}`, { method: 'HEAD', cache: 'no-store' })).ok;
