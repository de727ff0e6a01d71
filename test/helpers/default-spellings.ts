// Random spellings of queries that ask for a default list: what every host answers with the list, and refuses never. The spellings
// that some rules cannot hold are named in docs/hosts.md, and are none of these.
import fc from 'fast-check';
import { RESOURCES, type Resource, SHAPES } from '../../src/content/paths/endpoints.ts';
import { defaultOrders } from '../../src/content/queries/order.ts';

export type Spelled = { readonly resource: Resource; readonly raw: string };

/** Of a text of ASCII, sometimes with codes in its place; spaces are written in one of their ways. */
const coded = (text: string): fc.Arbitrary<string> =>
  fc.array(fc.nat(11), { minLength: text.length, maxLength: text.length }).map((choices) =>
    [...text]
      .map((letter, at) => {
        const choice = choices[at] ?? 0;
        const code = `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;
        if (letter === ' ') return choice < 6 ? '+' : '%20';
        if (choice === 11 || letter === '+') return code;
        return choice === 10 ? code.toUpperCase() : letter;
      })
      .join(''),
  );

const cased = (text: string): fc.Arbitrary<string> =>
  fc.constantFrom(text, text.toUpperCase(), text.charAt(0).toUpperCase() + text.slice(1));

const spaced = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('', '', '+', '%20', '%09'), coded(text), fc.constantFrom('', '', '+'))
    .map((parts) => parts.join(''));

const listed = (words: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc
        .constantFrom(...words)
        .chain(cased)
        .chain(spaced),
      { minLength: 1, maxLength: 3 },
    )
    .chain((values) => fc.constantFrom(',', '%2C', '%2c').map((comma) => values.join(comma)));

/** What no include is, written as no program should. */
const BROKEN = ['%', '%FF', '%2', '%zz', 'x%C2%A0', 'tags%FF', '%E3%80%80tags', 'nonsense%00'];

const includeOf = (resource: Resource): fc.Arbitrary<string> =>
  fc
    .tuple(listed([...SHAPES[resource].includes, 'tiers', '']), fc.constantFrom('', ...BROKEN))
    .map(([values, broken]) => (broken === '' ? values : `${values},${broken}`));

const limit = (max: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('all', '', '0', '00', String(max), `0${max + 1}`, '4294967296').chain(spaced),
    fc.constantFrom('many', 'x1', '.5', '_').chain(spaced),
    fc.constantFrom('-', '%2B', '%', '%2', '%C3%A4', '%zz'),
  );

/** The digits of a page beyond the first are not encoded. */
const page = fc.oneof(
  fc.constantFrom('1', '01', '0', '').chain(spaced),
  fc.constantFrom('2', '02', '+2'),
);

const orderOf = (resource: Resource): fc.Arbitrary<string> => {
  const idle = ['title', 'nonsense', '', 'name'];
  const usual = defaultOrders(resource).flatMap((text) => [text, `${text},x`, ` x, ${text} `]);
  return fc
    .constantFrom(...usual, ...usual, ...idle)
    .chain(cased)
    .chain(coded);
};

const filterOf = (resource: Resource): fc.Arbitrary<string> => {
  const { filter } = SHAPES[resource];
  if (filter === null) return fc.constantFrom('', '+', '%20');
  const [field, value] = filter.value.split(':');
  const texts = [filter.value, `${field}: ${value}`, `${field}:'${value}'`, `( ${filter.value} )`];
  return fc.constantFrom(...texts, `(${field}:'${value}')`, '').chain(spaced);
};

const nameOf = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(coded(name), fc.constantFrom('', '', '', '[]', '[0]', '%5B1%5d'))
    .map((parts) => parts.join(''));

const OTHERS = fc.constantFrom('key=1', 'x[]=%', 'nonsense', 'slug=limit=2', '', 'limits=3', '%=1');

/** `max` is the setting `lists.max`. */
export const defaultSpelling = (max: number): fc.Arbitrary<Spelled> =>
  fc.constantFrom(...RESOURCES).chain((resource) => {
    const isOfRecords = resource === 'posts' || resource === 'pages';
    const values: Readonly<Record<string, fc.Arbitrary<string>>> = {
      include: includeOf(resource),
      limit: limit(max),
      page,
      order: orderOf(resource),
      fields: listed(['']),
      filter: filterOf(resource),
      ...(isOfRecords && { formats: fc.oneof(listed(['']), listed(['html'])) }),
    };
    const pairs = fc.subarray(Object.keys(values), { maxLength: 4 }).chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc
            .tuple(nameOf(name), values[name] ?? fc.constant(''), fc.nat(5))
            // A page beyond the first can be asked for once.
            .map(([key, value, copies]) =>
              copies === 5 && !/^\+?0?2$/.test(value)
                ? `${key}=${value}&${key}=${value}`
                : `${key}=${value}`,
            ),
        ),
      ),
    );
    return fc
      .tuple(pairs, fc.array(OTHERS, { maxLength: 2 }))
      .chain(([asked, others]) =>
        fc.shuffledSubarray([...asked, ...others], { minLength: asked.length + others.length }),
      )
      .map((all) => ({ resource, raw: all.join('&') }));
  });
