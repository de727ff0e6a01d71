// Where the output is carried to, and how far each target is.
import { Badge } from '../ui/badge.tsx';
import { number, time } from '../ui/words.ts';
import type { Deploy } from './publisher-view.ts';

export const Targets = ({ deploys }: { readonly deploys: readonly Deploy[] }) => (
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
