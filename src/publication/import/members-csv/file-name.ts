// What the name of a members CSV says where no column says it: that its readers left, bounced or never subscribed. Case,
// accents, hyphens and spaces decide nothing.
import { ASKS } from './consent-columns.ts';
import type { Columns } from './foreign-columns.ts';
import { plainName } from './members-columns.ts';

/** Mailchimp's exports of who left, bounced or never subscribed: the last have no column that says so. */
const OF_NO_READERS =
  /^(?:unsubscribed|nonsubscribed|cleaned)_(?:members|segment|email_audience)_export/;
/** Other programs name such files less plainly: there the name counts where no column says it. */
const LEFT =
  /(?<!\p{L})(?:(?:unsub|non_?sub|not_subscri|never_subscri|no_longer_(?:subscri|active)|suppress|cancel|undeliver|blacklist|blocklist|denylist|quarantin|des_?abonn|des_?inscri|desuscri|descadastr|dis_?iscri|uitgeschr|uitschrijv|afgemeld|afmeld|abgemeld|abmeld|abbestell|ausgetrag|gesperrt|gekundigt|geloscht|inaktiv|inacti[fv]|inativ|inattiv|unzustellb|rebotad)|(?:opt(?:ed)?_?outs?|do_?not_?(?:e?_?mail|contact|send)|no_e?_?mails?|dnc|(?:black|block|deny)_list(?:ed|s)?|(?:hard|soft)?_?bounc(?:e|es|ed|ing|ers?)|complain(?:t|ts|ed|ers?)|un(?:confirmed|verified)|removed|deleted|blocked|banned|suspended|disabled|deactivated|rejected|invalid|pending|former|churned|leavers|ex_(?:members?|subscribers?|readers?)|spam(?:mers?)?(?!_free)|junk|ehemalige|bajas?(?!_california))(?!\p{L}))/gu;
const OTHER_READERS =
  /(?<!\p{L})(?:no|not|non|without|ohne|except|minus|subscribed|active|duplicates?|dupes|bots?)(?!\p{L})/u;

/** A yes in Ghost's own column counts all the same. */
export const isOfNoReaders = (name: string, { consents }: Columns): boolean => {
  const plain = plainName(name);
  if (OF_NO_READERS.test(plain)) return true;
  const isSaid = consents.some(({ kind, yields }) => !yields && ASKS.has(kind) && kind !== 'when');
  if (isSaid) return false;
  return plain.split(/_(?:and|und|or)_/).every((part) => {
    const others = part.replace(LEFT, '');
    return others !== part && !OTHER_READERS.test(others);
  });
};
