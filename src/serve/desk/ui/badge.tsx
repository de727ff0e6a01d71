// A word for a state, in a colour that only repeats what the word says.
type Tone = 'good' | 'bad' | 'waiting' | 'quiet';

const TONES: Readonly<Record<string, Tone>> = {
  published: 'good',
  done: 'good',
  there: 'good',
  active: 'good',
  paid: 'good',
  idle: 'good',
  scheduled: 'waiting',
  pending: 'waiting',
  carrying: 'waiting',
  building: 'waiting',
  running: 'waiting',
  requested: 'waiting',
  settling: 'waiting',
  waiting: 'waiting',
  failed: 'bad',
  failing: 'bad',
  disabled: 'bad',
  revoked: 'bad',
  silent: 'bad',
};

export const Badge = ({ state }: { readonly state: string }) => (
  <span class={`badge ${TONES[state] ?? 'quiet'}`}>{state}</span>
);
