// What of a post is not saved, kept in this browser until it is: a page that is closed, or loses its network, loses
// nothing. A post that was never saved has one copy.
import { useEffect, useRef } from 'preact/hooks';
import { BASE } from '../../api.ts';
import type { AnyPost, Body, Draft, PostRoot } from './post-draft.ts';

export type PostCopy = {
  /** When it was kept, as an ISO time. */
  readonly at: string;
  /** Of the post as it was known; null: it was never saved. */
  readonly updated_at: string | null;
  /** The fields that were typed into. */
  readonly draft: Partial<Draft>;
  readonly body: Body;
};

type Named = { readonly root: PostRoot; readonly post: Pick<AnyPost, 'id'> | null };

const keyOf = ({ root, post }: Named): string =>
  `prepress-unsaved ${BASE}/${root}/${post?.id ?? 'new'}`;

export const findCopy = (named: Named): PostCopy | null => {
  try {
    return JSON.parse(localStorage.getItem(keyOf(named)) ?? 'null') as PostCopy | null;
  } catch {
    // Storage is off, or somebody else wrote there.
    return null;
  }
};

export const dropCopy = (named: Named): void => {
  try {
    localStorage.removeItem(keyOf(named));
  } catch {
    // Storage is off.
  }
};

const keepCopy = (named: Named, copy: PostCopy): void => {
  try {
    localStorage.setItem(keyOf(named), JSON.stringify(copy));
  } catch {
    // It is full, or off: what is typed stands in the page alone, as before.
  }
};

const SETTLE_MS = 500;

/** Keeps what is not saved; `copy` null: all is. What others kept before is left alone until something is typed here. */
export const useCopy = (named: Named, copy: Omit<PostCopy, 'at'> | null): void => {
  const key = keyOf(named);
  const text = JSON.stringify(copy);
  const isKept = useRef(false);
  const write = useRef<() => void>(() => undefined);
  write.current = () => {
    if (copy !== null) {
      isKept.current = true;
      keepCopy(named, { ...copy, at: new Date().toISOString() });
    } else if (isKept.current) dropCopy(named);
  };
  useEffect(() => {
    const timer = setTimeout(() => write.current(), copy === null ? 0 : SETTLE_MS);
    return () => clearTimeout(timer);
  }, [key, text]);
  useEffect(() => {
    const now = (): void => write.current();
    addEventListener('pagehide', now);
    return () => {
      removeEventListener('pagehide', now);
      now();
    };
  }, []);
};
