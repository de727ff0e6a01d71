// Names that are written as the words of one text, and what is done with each of them.

/** The words of a text, which single spaces part. */
export type Words<Text extends string, Found = never> = Text extends `${infer First} ${infer Rest}`
  ? Words<Rest, Found | First>
  : Found | Text;

export type Each<Value, Names extends string> = { [Name in Words<Names>]: Value };

/** Has the value under each of the names, in their order. */
export const each = <const Value, const Names extends string>(value: Value, names: Names) =>
  eachBy(names, () => value);

/** Has under each of the names what is made of it, in their order. */
export const eachBy = <const Names extends string, Value>(
  names: Names,
  make: (name: Words<Names>) => Value,
) =>
  Object.fromEntries(names.split(' ').map((name) => [name, make(name as Words<Names>)])) as Each<
    Value,
    Names
  >;

/** A text of names that are keys of the object. */
export type NamesOf<From, Names extends string> = Names &
  (Words<Names> extends keyof From ? unknown : never);

type Kept<From, Names extends string> = { [Name in Words<Names>]: From[Name & keyof From] };

/** Those values alone, in the order of the names. */
export const pick = <From extends object, const Names extends string>(
  from: From,
  names: NamesOf<From, Names>,
) => pickAs(from, names, (value) => value) as Kept<From, Names>;

/** The same of the values as `as` makes them. */
export const pickAs = <From extends object, const Names extends string, Value>(
  from: From,
  names: NamesOf<From, Names>,
  as: (value: From[Words<Names> & keyof From]) => Value,
) => eachBy<Names, Value>(names, (name) => as(from[name as Words<Names> & keyof From]));
