// What a filter asks of a field, whatever the field is: an operator and values, and the test that they are of a text.
// Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import type { Condition } from './condition.ts';
import type { Filter, Operator, TextMatch } from './filter.ts';
import { createTextTest, foldText } from './text-test.ts';

export type Comparison = {
  /** `=` of lists, too; and of what must not be equal, which its filter says. */
  readonly operator: Exclude<Operator, '!='> | TextMatch;
  /** Null is not among them: it is equal to nothing but null, and compares with nothing. */
  readonly values: readonly (string | number | boolean)[];
  readonly hasNull: boolean;
};

/** Null for an operator or value that the field cannot be compared with. */
export type Field = (asked: Comparison) => Condition | null;

export const comparisonOf = (filter: Extract<Filter, { readonly field: string }>): Comparison => {
  if (filter.kind === 'text') {
    return { operator: filter.match, values: [filter.text], hasNull: false };
  }
  const isList = filter.kind === 'in';
  const all = isList ? filter.values : [filter.value];
  const values = all.filter((value) => value !== null);
  const hasNull = values.length < all.length;
  const operator = isList || filter.operator === '!=' ? '=' : filter.operator;
  return { operator, values, hasNull };
};

export const isText = (asked: Comparison): boolean => asked.operator.length > 2;

export const compares = <T extends string | number>(
  operator: string,
  value: T,
  wanted: T,
): boolean => {
  if (operator === '=') return value === wanted;
  if (operator === '>') return value > wanted;
  if (operator === '>=') return value >= wanted;
  return operator === '<' ? value < wanted : value <= wanted;
};

export type TextColumn = 'id' | 'uuid' | 'slug' | 'title' | 'name' | 'visibility';

/** Columns of texts, and what they are in small letters, made when first looked into. */
export type Texts = Partial<Record<TextColumn, readonly string[]>> & {
  folded?: Partial<Record<TextColumn, readonly string[]>>;
};

/** Tells of one place of a column after another whether its text passes. */
export type TextTest = (texts: Texts) => (at: number) => boolean;

/** Null where texts are not looked into, and are. */
export const testOf = (
  asked: Comparison,
  column: TextColumn,
  isSearched: boolean,
): TextTest | null => {
  const operator = asked.operator;
  const wanted = asked.values.map(String);
  if (!isText(asked)) {
    return (texts) => {
      const values = texts[column] as readonly string[];
      return (at) => wanted.some((value) => compares(operator, values[at] as string, value));
    };
  }
  const test = createTextTest(operator as TextMatch, wanted[0] as string);
  if (!isSearched) return null;
  return (texts) => {
    const folded = foldedColumn(texts, column);
    return (at) => test(folded[at] as string);
  };
};

const foldedColumn = (texts: Texts, column: TextColumn): readonly string[] => {
  texts.folded = texts.folded || {};
  const folded = texts.folded[column] || (texts[column] as readonly string[]).map(foldText);
  texts.folded[column] = folded;
  return folded;
};
