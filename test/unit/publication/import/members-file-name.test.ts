// The name of a file alone may say that its readers left.
import { expect, test } from 'vitest';
import { isOfNoReaders } from '../../../../src/publication/import/members-csv/file-name.ts';
import { planColumns } from '../../../../src/publication/import/members-csv/foreign-columns.ts';

const LEFT = `optouts opt-outs Opt-out+list optout_contacts OptOuts not_subscribed no-longer-subscribed
  non-subscribers nonsubscribers unsub unsubs-2024-05 UNSUBS2024 do-not-mail DoNotContact hardbounces hard+bounces
  spam blocked contacts-blocked block-list deleted_contacts invalid_emails pending former-members inactive-subscribers
  ex-members desabonnes désinscrits uitgeschreven disiscritti descadastrados bajas Gesperrte+Kontakte abmelder
  spam-complaints blacklist suppression_list cancelled-readers unconfirmed_2024 Abgemeldete no-mail unsubs-and-bounces`;
const READERS = `subscribers members active+members spam-free+newsletter unblocked not-bounced without-spam
  not_unsubscribed baja-california optimists subscribed-minus-unsubs members-and-pending blocks newsletter pendings-nope`;

const namesOf = (list: string): string[] =>
  list
    .trim()
    .split(/\s+/)
    .map((name) => name.replace('+', ' '));

test.each([
  ['who left', LEFT, true],
  ['readers', READERS, false],
])('the names of files of %s are told from others', (_, list, expected) => {
  const columns = planColumns(['email']);
  const wrong = namesOf(list).filter((name) => isOfNoReaders(`${name}.csv`, columns) !== expected);
  expect(wrong).toEqual([]);
});
