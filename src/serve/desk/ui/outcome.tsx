// What became of an action, beside its button: polite for what was done, at once for what failed.
import { Failed } from './failed.tsx';
import type { Action } from './hooks.ts';

export const Outcome = ({ error, done }: Pick<Action, 'error' | 'done'>) => (
  <>
    <Failed error={error} />
    <p role="status" class={done ? 'done' : 'done empty'}>
      {done}
    </p>
  </>
);
