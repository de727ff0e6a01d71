import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonFault, placeValues } from '../../../../src/base/text/json-places.ts';

test('values and names stand where JSON.parse finds them, doubled names too', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (value, spaces) => {
      const text = ` ${JSON.stringify(value, null, spaces)}\n`;
      const members = placeValues(text).members ?? [];
      expect(members.map(({ name }) => name)).toEqual(Object.keys(value));
      for (const { name, start, place } of members) {
        expect(text.slice(start).startsWith(JSON.stringify(name))).toBe(true);
        const slice = text.slice(place.start, place.end);
        expect(JSON.parse(slice)).toEqual(JSON.parse(JSON.stringify(value[name])));
      }
    }),
  );
  const doubled = placeValues('{"a":1,"a":2}').members ?? [];
  expect(doubled.map(({ name, start }) => [name, start])).toEqual([
    ['a', 1],
    ['a', 7],
  ]);
});

test('exactly what JSON.parse refuses is a fault', () => {
  const reads = (read: (text: string) => unknown, fault: typeof SyntaxError, text: string) => {
    try {
      read(text);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(fault);
      return false;
    }
  };
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom(...'{}[]",:1e-\\ nu\n'), (json, at, unit) => {
      const place = at % (json.length + 1);
      for (const text of [
        json,
        json.slice(0, place),
        json.slice(0, place) + unit + json.slice(place),
      ]) {
        expect(reads(placeValues, JsonFault as never, text), text).toBe(
          reads(JSON.parse, SyntaxError, text),
        );
      }
    }),
  );
});
