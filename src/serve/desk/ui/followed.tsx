// Says that a source is followed, which alone changes what is shown.
import type { Desk } from '../records.ts';

type Props = { readonly desk: Pick<Desk, 'follows'>; readonly what: string };

export const Followed = ({ desk: { follows }, what }: Props) =>
  follows === null ? null : (
    <p class="note">
      The publication follows <strong>{follows}</strong>. Change this {what} there; changes here are
      refused.
    </p>
  );
