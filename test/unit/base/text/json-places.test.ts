import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findMember,
  JsonFault,
  placeValues,
  replaceMembers,
} from '../../../../src/base/text/json-places.ts';

test('values stand where JSON.parse finds them', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (value, spaces) => {
      const text = ` ${JSON.stringify(value, null, spaces)}\n`;
      const place = placeValues(text);
      for (const [name, one] of Object.entries(value)) {
        const found = findMember(place, name);
        const slice = text.slice(found?.start, found?.end);
        expect(JSON.parse(slice)).toEqual(JSON.parse(JSON.stringify(one)));
      }
    }),
  );
});

test('a member that stands twice is not found', () => {
  expect(findMember(placeValues('{"a":1,"a":2}'), 'a')).toBeUndefined();
});

test.each([
  ['{"a": 1, "b":[2] }', { b: '3' }, '{"a": 1, "b":3 }'],
  ['{"a": 1}', { b: '"x"', a: '2' }, '{"a": 2,"b":"x"}'],
  ['{}', { b: '0' }, '{"b":0}'],
  ['{ }', {}, '{ }'],
  ['{"constructor": 1}', { b: '0' }, '{"constructor": 1,"b":0}'],
])('%s with %j is %s', (text, changes, expected) => {
  expect(replaceMembers(text, placeValues(text), changes as Record<string, string>)).toBe(expected);
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
