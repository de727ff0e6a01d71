// How the system is: what the publication does now: the last build, what changed, the queue, deploys, what is scheduled. It follows by
// itself while the page is seen.
import { useDesk, useTime } from '../context.ts';
import type { Build, Desk, Post } from '../records.ts';
import { Badge } from '../ui/badge.tsx';
import { Failed } from '../ui/failed.tsx';
import { useAction, useLoaded } from '../ui/hooks.ts';
import { Outcome } from '../ui/outcome.tsx';
import { number } from '../ui/words.ts';
import { askedBy } from './asked-by.ts';
import { Publisher } from './publisher.tsx';
import type { Deploy, PublisherView } from './publisher-view.ts';
import { Servers } from './servers.tsx';

const EVERY_MS = 2_000;

type Scheduled = Pick<Post, 'id' | 'title' | 'published_at'>;

export const Overview = () => {
  const { api } = useDesk();
  const time = useTime();
  const action = useAction();
  const { value, error, reload } = useLoaded(
    async () => {
      const [{ state }, { builds }, { desk }, { posts }] = await Promise.all([
        api.get<{ state: PublisherView }>('/state/'),
        api.get<{ builds: Build[] }>('/builds/', { limit: 5 }),
        api.get<{ desk: Desk }>('/desk/'),
        api.get<{ posts: Scheduled[] }>('/posts/', {
          filter: 'status:scheduled',
          order: 'published_at asc',
          fields: 'id,title,published_at',
          limit: 10,
        }),
      ]);
      return { state, builds, desk, posts };
    },
    [api],
    EVERY_MS,
  );
  const build = (): Promise<void> =>
    action.run(async () => {
      await api.send('POST', '/builds/');
      reload();
      return 'A build was requested.';
    });
  if (value === null) return error === null ? <p>Loading…</p> : <Failed error={error} />;
  const { state, builds, desk, posts } = value;
  return (
    <>
      <div class="head">
        <h1>Overview</h1>
        <button type="button" onClick={build} disabled={action.isBusy}>
          Build now
        </button>
      </div>
      <Failed error={error} />
      <Outcome {...action} />
      {desk.is_sample && <Sample />}
      {desk.follows !== null && (
        <p class="note">
          The publication follows <strong>{desk.follows}</strong>, and only that changes its
          content.
        </p>
      )}
      {desk.bulk_work.map((sentence) => (
        <p key={sentence} class="note">
          {sentence}
        </p>
      ))}
      <Publisher state={state} />
      <div class="cards">
        <section class="card">
          <h2>Scheduled</h2>
          {posts.length === 0 && <p class="hint">No post is scheduled.</p>}
          <ul class="plain">
            {posts.map(({ id, title, published_at }) => (
              <li key={id}>
                <a href={`#/posts/${id}`}>{title}</a>
                <div class="hint">{time(published_at)}</div>
              </li>
            ))}
          </ul>
          {state.heldPosts.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </section>
        <section class="card">
          <h2>Webhook deliveries</h2>
          <dl>
            <dt>Waiting</dt>
            <dd>{number(desk.deliveries.pending ?? 0)}</dd>
            <dt>Done</dt>
            <dd>{number(desk.deliveries.done ?? 0)}</dd>
            <dt>Failed</dt>
            <dd>{number(desk.deliveries.failed ?? 0)}</dd>
          </dl>
          <a href="#/webhooks">All webhooks</a>
        </section>
        <Targets deploys={state.deploys} />
      </div>
      <Servers servers={state.servers} />
      <Builds builds={builds} />
      {state.setAside.length > 0 && <SetAside records={state.setAside} />}
    </>
  );
};

/** What a first run needs to know. */
const Sample = () => (
  <section class="card wide">
    <h2>This is the sample publication</h2>
    <p>
      Open a <a href="#/posts">post</a>, change it and press “Update”: the content interface follows
      at once, the pages soon after. This command puts your own publication in its place:
    </p>
    <pre>
      <code>npx prepress import my-site.json --site-url https://example.com</code>
    </pre>
  </section>
);

const Builds = ({ builds }: { readonly builds: readonly Build[] }) => {
  const time = useTime();
  return (
    <section>
      <h2>Builds</h2>
      <ul class="records">
        {builds.map((build) => (
          <li key={build.id}>
            <Badge state={build.state} />
            <span class="grow">
              {build.kind === null
                ? 'Build'
                : `${build.kind === 'full' ? 'Full' : 'Incremental'} build`}
              {build.generation !== null && `, generation ${number(build.generation)}`}
              {build.error !== null && <span class="failure"> {build.error}</span>}
            </span>
            <span class="hint">
              {askedBy(build.requested_by)}
              {time(build.finished_at ?? build.requested_at)}
            </span>
          </li>
        ))}
        {builds.length === 0 && <li class="hint">There is no build yet.</li>}
      </ul>
    </section>
  );
};

const SetAside = ({ records }: { readonly records: PublisherView['setAside'] }) => (
  <section>
    <h2>Rows that cannot be shown</h2>
    <ul class="records">
      {records.map((record) => (
        <li key={record.message}>{record.message}</li>
      ))}
    </ul>
  </section>
);

const Targets = ({ deploys }: { readonly deploys: readonly Deploy[] }) => {
  const time = useTime();
  return (
    <section class="card">
      <h2>Deploys</h2>
      {deploys.length === 0 && <p class="hint">No target is set.</p>}
      <ul class="plain targets">
        {deploys.map(({ target, state, generation, newest, carriedAt, lastError, nextTryAt }) => (
          <li key={target}>
            <Badge state={state} /> <code>{target}</code>
            <div class="hint">
              {generation === null
                ? 'It has no build yet'
                : `It has generation ${number(generation)} of ${number(newest)}`}
              {carriedAt !== null && `, since ${time(carriedAt)}`}
            </div>
            {lastError !== null && <div class="failure">{lastError.message}</div>}
            {nextTryAt !== null && <div class="hint">Next try: {time(nextTryAt)}</div>}
          </li>
        ))}
      </ul>
    </section>
  );
};
