// Where the output is carried to, and how far each target is.
import { Badge } from '../ui/badge.tsx';
import { number, time } from '../ui/words.ts';
import type { Deploy } from './publisher-view.ts';

export const Targets = ({ deploys }: { readonly deploys: readonly Deploy[] }) => (
  <section class="card">
    <h2>Deploys</h2>
    {deploys.length === 0 && <p class="hint">No target is set.</p>}
    <ul class="plain">
      {deploys.map(({ target, state, generation, newest, lastError, nextTryAt }) => (
        <li key={target}>
          <Badge state={state} /> {target}
          <div class="hint">
            generation {generation === null ? '–' : number(generation)} of {number(newest)}
          </div>
          {lastError !== null && <div class="failure">{lastError.message}</div>}
          {nextTryAt !== null && <div class="hint">Next try: {time(nextTryAt)}</div>}
        </li>
      ))}
    </ul>
  </section>
);
