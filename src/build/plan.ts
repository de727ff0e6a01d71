// Decides what a build must look at: everything, or the records that the change log names and those that
// show them. Pure: all it knows comes in.
import type { Resource } from '../paths/endpoints.ts';
import { RESOURCES } from '../paths/endpoints.ts';
import type { ManifestState } from '../store/manifest.ts';
import type { Change, Snapshot } from '../store/snapshot.ts';

export type Touched = Readonly<Record<Resource, ReadonlySet<string>>>;

export type Plan =
  | { readonly kind: 'full'; readonly reason: FullReason }
  | { readonly kind: 'incremental'; readonly touched: Touched; readonly settings: boolean };

export type FullReason =
  | 'asked for'
  | 'no earlier build'
  | 'another output folder'
  | 'settings or versions changed'
  | 'the change log does not follow'
  | 'the output was touched by something else';

type PlanInput = {
  readonly isFullAsked: boolean;
  readonly state: ManifestState | null;
  readonly root: string;
  readonly fingerprint: string;
  /** The files on the disk that were looked at are the ones that were written. */
  readonly isTreeTrusted: () => boolean;
  readonly snapshot: Snapshot;
};

export const planBuild = (input: PlanInput): Plan => {
  const { state, snapshot } = input;
  const full = (reason: FullReason): Plan => ({ kind: 'full', reason });
  if (input.isFullAsked) return full('asked for');
  if (state === null) return full('no earlier build');
  if (state.root !== input.root) return full('another output folder');
  if (state.fingerprint !== input.fingerprint) return full('settings or versions changed');
  if (!snapshot.follows(state.position)) return full('the change log does not follow');
  if (!input.isTreeTrusted()) return full('the output was touched by something else');
  const { touched, settings } = touchedBy(snapshot.changesAfter(state.position.seq));
  return { kind: 'incremental', settings, touched: withEmbedding(touched, snapshot) };
};

type MutableTouched = Record<Resource, Set<string>>;

const touchedBy = (changes: Iterable<Change>): { touched: MutableTouched; settings: boolean } => {
  const touched: MutableTouched = {
    posts: new Set(),
    pages: new Set(),
    tags: new Set(),
    authors: new Set(),
  };
  let settings = false;
  for (const change of changes) {
    const records = [change.record_id, change.old_record_id].filter((id) => id !== null);
    const others = [change.other_id, change.old_other_id].filter((id) => id !== null);
    const add = (resource: Resource, ids: readonly string[]): void => {
      for (const id of ids) touched[resource].add(id);
    };
    switch (change.entity) {
      case 'posts':
      case 'posts_meta':
        // A post may have become a page, so both are looked at.
        add('posts', records);
        add('pages', records);
        break;
      case 'posts_tags':
        add('posts', records);
        add('pages', records);
        add('tags', others);
        break;
      case 'posts_authors':
        add('posts', records);
        add('pages', records);
        add('authors', others);
        break;
      case 'tags':
        add('tags', records);
        break;
      case 'users':
        add('authors', records);
        break;
      case 'settings':
        settings = true;
        break;
    }
  }
  return { touched, settings };
};

/** Adds the posts that embed a touched tag or author, and the tags and authors that count touched posts. */
const withEmbedding = (touched: MutableTouched, snapshot: Snapshot): Touched => {
  const posts = [...touched.posts];
  for (const resource of ['tags', 'authors'] as const) {
    const linked = snapshot.linkedTo(resource, posts);
    for (const id of snapshot.linkedFrom(resource, [...touched[resource]])) {
      touched.posts.add(id);
      touched.pages.add(id);
    }
    for (const id of linked) touched[resource].add(id);
  }
  return touched;
};

export const isEmptyPlan = (plan: Plan): boolean =>
  plan.kind === 'incremental' &&
  !plan.settings &&
  RESOURCES.every((resource) => plan.touched[resource].size === 0);
