// What of a post is not saved, kept in this browser until it is: a page that is closed, or loses its network, loses
// nothing. Each post that was never saved has a name of its own. Signing out drops all copies.
import { useEffect, useRef } from 'preact/hooks';
import { BASE } from '../../../api.ts';
import type { FirstSave } from './first-save.ts';
import type { Body, Draft, PostRoot } from './post-draft.ts';

export type PostCopy = {
  /** When it was kept, as an ISO time. */
  readonly at: string;
  /** Of the post as it was known; null: it was never saved. */
  readonly updated_at: string | null;
  /** The fields that were typed into. */
  readonly draft: Partial<Draft>;
  readonly body: Body;
  /** Of a new post, while it is not known what became of it. */
  readonly sent: FirstSave | null;
};

/** `name`: the id of a post; of one that was never saved, what nameNew gives. */
type Named = { readonly root: PostRoot; readonly name: string };

const PREFIX = `prepress-unsaved ${BASE}/`;

const keyOf = ({ root, name }: Named): string => `${PREFIX}${root}/${name}`;

const listKeys = (): string[] => {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    // Storage is off.
    return [];
  }
};

/** A name for a new post: that of a copy which no open page writes, else one that is not used yet. */
export const nameNew = async (root: PostRoot): Promise<string> => {
  const { held = [] } = await navigator.locks.query();
  const start = keyOf({ root, name: 'new-' });
  const isHeld = (key: string): boolean => held.some(({ name }) => name === key);
  const left = listKeys().find((key) => key.startsWith(start) && !isHeld(key));
  return left?.slice(keyOf({ root, name: '' }).length) ?? `new-${crypto.randomUUID()}`;
};

export const hasCopies = (): boolean => listKeys().length > 0;

export const dropCopies = (): void => {
  for (const key of listKeys()) localStorage.removeItem(key);
};

type FoundCopy = Pick<PostCopy, 'at' | 'updated_at'> & {
  readonly draft: unknown;
  readonly body: unknown;
  readonly sent: unknown;
};

export const findCopy = (named: Named): FoundCopy | null => {
  try {
    const { at, updated_at, draft, body, sent } = JSON.parse(
      localStorage.getItem(keyOf(named)) ?? '{}',
    );
    if (typeof at !== 'string') return null;
    const known = typeof updated_at === 'string' ? updated_at : null;
    return { at, updated_at: known, draft, body, sent };
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
  // Other pages see by it that this one writes here.
  useEffect(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    void navigator.locks.request(key, () => promise);
    return resolve;
  }, [key]);
  useEffect(() => {
    const now = (): void => write.current();
    addEventListener('pagehide', now);
    return () => {
      removeEventListener('pagehide', now);
      now();
    };
  }, []);
  useEffect(() => {
    // Another tab that has the same post open dropped its copy, which was this one's, too.
    const change = (event: StorageEvent): void => {
      if (event.key === key && event.newValue === null && isKept.current) write.current();
    };
    addEventListener('storage', change);
    return () => removeEventListener('storage', change);
  }, [key]);
};
