// What a form holds of a record, beside the record as the server stores it. The stored one may change while somebody
// types: after a save, or because somebody else changed it. What was typed stays.
import { useState } from 'preact/hooks';

type Values<Draft> = { readonly [Name in keyof Draft]: string | boolean | readonly string[] };

export const isSameValue = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The names of the fields that differ. */
export const changedNames = <Draft extends Values<Draft>>(
  before: Draft,
  now: Draft,
): (keyof Draft)[] =>
  (Object.keys(now) as (keyof Draft)[]).filter((name) => !isSameValue(now[name], before[name]));

type Stored<Draft> = {
  /** The form as it was sent, or as it was stored before. */
  readonly known: Draft;
  readonly stored: Draft;
};

/** Fields that were typed into since `known` keep their value; all others get the stored one. */
export const keepTyped = <Draft extends Values<Draft>>(
  now: Draft,
  { known, stored }: Stored<Draft>,
): Draft => {
  const typed = changedNames(known, now).map((name) => [name, now[name]] as const);
  return { ...stored, ...Object.fromEntries(typed) };
};

type FormDraft<Draft> = {
  /** As the server stores it. */
  readonly before: Draft;
  readonly draft: Draft;
  /** The other fields stay as they are when it is called, not as they were when the form was shown. */
  readonly set: (changes: Partial<Draft>) => void;
  /** Takes what is stored now. `sent`: what a save sent, when it was a save. */
  readonly follow: (stored: Draft, sent?: Draft) => void;
  /** Takes what is stored now, and gives up what was typed. */
  readonly replace: (stored: Draft) => void;
};

type TextName<Draft> = {
  [Name in keyof Draft]: Draft[Name] extends string ? Name : never;
}[keyof Draft];

/** Gives what a field of text is shown with, by the name of its value. */
export const textOf =
  <Draft>(draft: Draft, set: (changes: Partial<Draft>) => void) =>
  <Name extends TextName<Draft>>(name: Name) => ({
    value: draft[name],
    onChange: (value: Draft[Name]) => set({ [name]: value } as unknown as Partial<Draft>),
  });

/** `typed`: what was typed into it before. */
export const useDraft = <Draft extends Values<Draft>>(
  first: Draft,
  typed: Partial<Draft> = {},
): FormDraft<Draft> => {
  const [{ before, draft }, setState] = useState({ before: first, draft: { ...first, ...typed } });
  return {
    before,
    draft,
    set: (changes) => setState((now) => ({ ...now, draft: { ...now.draft, ...changes } })),
    follow: (stored, sent) =>
      setState((now) => ({
        before: stored,
        draft: keepTyped(now.draft, { known: sent ?? now.before, stored }),
      })),
    replace: (stored) => setState({ before: stored, draft: stored }),
  };
};

type Versions = {
  /** As it was known when the form was shown, or saved last. */
  readonly before: readonly string[];
  /** As the form has it. */
  readonly now: readonly string[];
  /** As the server has it. */
  readonly newest: readonly string[];
};

/** What was added to a list elsewhere stays, and so does what was taken out of it there. */
export const mergeList = ({ before, now, newest }: Versions): string[] => {
  const added = now.filter((one) => !before.includes(one));
  const left = newest.filter((one) => !before.includes(one) || now.includes(one));
  return [...new Set([...left, ...added])];
};
