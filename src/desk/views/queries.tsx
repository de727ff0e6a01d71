// Queries that the content interface was asked, and declaring them: their answers become files.
import { useState } from 'preact/hooks';
import { useDesk } from '../context.ts';
import type { AskedQuery, DeclaredQuery } from '../records.ts';
import { Failed } from '../ui/failed.tsx';
import { useAction, useLoaded } from '../ui/hooks.ts';
import { Outcome } from '../ui/outcome.tsx';
import { plural, size, time } from '../ui/words.ts';

type Left = { readonly resource: string; readonly query: string; readonly reason: string };
type Adopted = { readonly queries: DeclaredQuery[]; readonly meta: { readonly left: Left[] } };

export const Queries = () => {
  const { api } = useDesk();
  const action = useAction();
  const [adopted, setAdopted] = useState<Adopted | null>(null);
  const { value, error, reload } = useLoaded(
    () => api.get<{ queries: AskedQuery[] }>('/queries/'),
    [api],
  );
  const adopt = (): Promise<void> =>
    action.run(async () => {
      const answer = await api.send<Adopted>('POST', '/queries/adopt/');
      setAdopted(answer);
      reload();
      return answer.queries.length === 0
        ? 'Nothing is left to declare.'
        : `${plural(answer.queries.length, 'query').replace('querys', 'queries')} declared. The server starts again with them.`;
    });
  const queries = value?.queries ?? [];
  return (
    <>
      <div class="head">
        <h1>Queries</h1>
        <button
          type="button"
          class="main"
          disabled={action.isBusy || queries.length === 0}
          onClick={adopt}
        >
          Adopt them
        </button>
      </div>
      <p class="hint">
        What readers asked beyond the plain lists. A query that is adopted is declared in the
        settings file, and its answers are files that any host can serve.
      </p>
      <Failed error={error} />
      <Outcome {...action} />
      {adopted !== null && <Cost {...adopted} />}
      <ul class="records">
        {queries.map(({ resource, query, count, last_asked_at }) => (
          <li key={`${resource} ${query}`}>
            <code class="grow">
              {resource}/?{query}
            </code>
            <span class="hint">
              {plural(count, 'time')}, last {time(last_asked_at)}
            </span>
          </li>
        ))}
      </ul>
      {value !== null && queries.length === 0 && <p class="hint">Nothing was asked yet.</p>}
    </>
  );
};

const Cost = ({ queries, meta }: Adopted) => (
  <section class="card">
    {queries.length > 0 && <h2>What they cost</h2>}
    <ul class="plain">
      {queries.map(({ resource, query, files, bytes }) => (
        <li key={`${resource} ${query}`}>
          <code>
            {resource}/?{query}
          </code>{' '}
          <span class="hint">
            {plural(files, 'file')}, {size(bytes)}
          </span>
        </li>
      ))}
    </ul>
    {meta.left.length > 0 && <h2>Not declared</h2>}
    <ul class="plain">
      {meta.left.map(({ resource, query, reason }) => (
        <li key={`${resource} ${query}`}>
          <code>
            {resource}/?{query}
          </code>{' '}
          <span class="hint">{reason}</span>
        </li>
      ))}
    </ul>
  </section>
);
