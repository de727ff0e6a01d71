// Writes and edits a post or a page: loads it, and shows its form.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useDesk, useTime } from '../../context.ts';
import type { Desk, Tier } from '../../records.ts';
import { Badge } from '../../ui/badge.tsx';
import { Failed } from '../../ui/failed.tsx';
import { Form } from '../../ui/fields/form.tsx';
import { Followed } from '../../ui/followed.tsx';
import { useLoaded } from '../../ui/hooks.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { usePostForm } from './post-form.ts';
import { PostQuestion } from './post-question.tsx';
import { PostStatus } from './post-status.tsx';
import { Preview } from './preview/preview.tsx';
import { PostFields } from './settings/post-fields.tsx';
import { PostBody } from './writing/post-body.tsx';
import { PostConflict } from './writing/post-conflict.tsx';
import { nameNew } from './writing/post-copy.ts';
import type { AnyPost, PostRoot } from './writing/post-draft.ts';
import { readPost } from './writing/post-requests.ts';
import { PostRevisions } from './writing/post-revisions.tsx';

type Props = { readonly root: PostRoot; readonly id: string | null };

export const PostEdit = ({ root, id }: Props) => {
  const { api } = useDesk();
  const { value, error } = useLoaded(async () => {
    const [post, { desk }, { tiers }, newName] = await Promise.all([
      id === null ? null : readPost(api, root, id),
      api.get<{ desk: Desk }>('/desk/'),
      api.get<{ tiers: Tier[] }>('/tiers/'),
      nameNew(root),
    ]);
    return { post, desk, tiers, newName };
  }, [api, root, id]);
  if (value === null) return error === null ? <p>Loading…</p> : <Failed error={error} />;
  return <PostForm root={root} {...value} />;
};

/** A move takes the button that asked for it away: the keyboard goes on beside it. */
const useMoved = (status: AnyPost['status'] | undefined, onLost: () => void): void => {
  const before = useRef(status);
  useEffect(() => {
    const isMoved = before.current !== undefined && before.current !== status;
    before.current = status;
    if (isMoved && document.activeElement === document.body) onLost();
  }, [status]);
};

type FormProps = {
  readonly root: PostRoot;
  readonly post: AnyPost | null;
  readonly desk: Desk;
  readonly tiers: readonly Tier[];
  readonly newName: string;
};

type HeadProps = Pick<FormProps, 'post'> & {
  readonly noun: string;
  readonly isChanged: boolean;
  /** While it is saved. */
  readonly doing: string | null;
};

const FormHead = ({ noun, post, isChanged, doing }: HeadProps) => (
  <div class="head">
    <h1>{post === null ? `New ${noun}` : `Edit ${noun}`}</h1>
    {post !== null && <Badge state={post.status} />}
    {doing !== null && <span class="hint">{doing}</span>}
    {doing === null && isChanged && <span class="hint">Not saved yet</span>}
    {doing === null && !isChanged && post !== null && <span class="hint">Nothing to save</span>}
  </div>
);

type ReturnedProps = { readonly at: string | null; readonly onDiscard: () => void };

/** `at`: when the browser kept what is shown; null: nothing of it. */
const Returned = ({ at, onDiscard }: ReturnedProps) => {
  const time = useTime();
  return at === null ? null : (
    <p class="note" role="status">
      What was not saved here, last changed {time(at)}, is back. Save it, or{' '}
      <button type="button" class="plain" onClick={onDiscard}>
        discard it
      </button>
      .
    </p>
  );
};

const PostForm = ({ root, post: loaded, desk, tiers, newName }: FormProps) => {
  const { has_pages: hasPages, new_post: access } = desk;
  const form = usePostForm(root, loaded, { newName, hasPages, access });
  const { post, draft, isChanged, isUploading, action, conflict } = form;
  const isBusy = action.isBusy || isUploading;
  const [isTyping, setTyping] = useState(false);
  const [isPreviewed, setPreviewed] = useState(false);
  const noun = root === 'posts' ? 'post' : 'page';
  const title = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // A stored post is opened to be read, too.
    if (loaded === null) title.current?.focus();
  }, []);
  const settings = useRef<HTMLElement>(null);
  useMoved(post?.status, () => settings.current?.focus({ preventScroll: true }));

  return (
    <Form class="post">
      <FormHead
        noun={noun}
        post={post}
        isChanged={isChanged}
        doing={isUploading ? 'Uploading; saving waits for it.' : action.doing}
      />
      <Followed desk={desk} what={noun} />
      <Returned at={form.copiedAt} onDiscard={form.discard} />
      <div class="columns">
        <div class="text">
          {/* Tab does not leave the text, as in Ghost. */}
          <button
            type="button"
            class="skip"
            onClick={({ currentTarget }) => currentTarget.form?.querySelector('aside')?.focus()}
          >
            To the settings
          </button>
          <label class="visually-hidden" for="post-title">
            Title
          </label>
          <div class="title" data-text={draft.title}>
            <textarea
              ref={title}
              id="post-title"
              data-one-line
              dir="auto"
              placeholder="Title"
              rows={1}
              maxLength={255}
              value={draft.title}
              onInput={({ currentTarget: { value } }) =>
                form.set({ title: value.replace(/\s*\n\s*/g, ' ') })
              }
            />
          </div>
          <PostBody
            key={form.opening}
            post={post}
            start={form.start}
            isUploading={isUploading}
            installCommand={desk.editor_install}
            onChange={form.write}
          />
        </div>
        <aside ref={settings} tabIndex={-1}>
          <PostStatus
            post={post}
            isBusy={isBusy}
            isChanged={form.isUnsettled || isTyping}
            isEmpty={form.isEmpty}
            hasPages={hasPages}
            at={draft.at}
            onDate={(at) => form.set({ at })}
            onSave={form.save}
            onMove={form.ask}
            onPreview={() => setPreviewed(true)}
            onRemove={form.remove}
          >
            <Outcome {...action} />
            {conflict !== null && post !== null && (
              <PostConflict
                known={post}
                newest={conflict}
                isBusy={isBusy}
                onSaveOver={() => form.saveOver(conflict)}
                onLoadNewer={() => form.loadNewer(conflict)}
              />
            )}
          </PostStatus>
          <PostFields
            draft={draft}
            post={post}
            permalinks={desk.permalinks}
            tiers={tiers}
            onChange={form.set}
            onTyping={setTyping}
            isPage={root === 'pages'}
          />
          {post !== null && <PostRevisions {...{ root, post, isBusy }} onRestore={form.restore} />}
        </aside>
      </div>
      {form.question !== null && (
        <PostQuestion
          {...form.question}
          {...{ root, permalinks: desk.permalinks }}
          onYes={form.agree}
          onClose={form.leave}
        />
      )}
      {isPreviewed && post !== null && (
        <Preview
          root={root}
          post={post}
          isChanged={isChanged}
          hasLinks={desk.has_preview_links}
          onClose={() => setPreviewed(false)}
        />
      )}
    </Form>
  );
};
