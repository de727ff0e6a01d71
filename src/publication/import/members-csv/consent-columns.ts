// What a column of a members CSV says of consent and delivery, by the words of its name, and what its cells say. Only what
// is understood counts: a name that seems to speak of them otherwise, or another word, is unclear, and subscribes nobody.
import { plainName } from './members-columns.ts';
import { readYesNo } from './yes-no.ts';

/**
 * `left`: a cell says that the reader left, or when; `agreed`: yes or no; `when`: when that was; `follows`: a yes, and no
 * says nothing; `status`: one word of several;
 * `trouble`: one of what keeps mail away; `state`: a status, or the code of a part of a country; `region`: a state beside a
 * time of signup, where such a code says nothing; `place`: a state beside what is understood otherwise; `words`: a column of
 * something else, which may hold a word of those who left.
 */
export type ConsentKind =
  | 'status'
  | 'trouble'
  | 'state'
  | 'region'
  | 'place'
  | 'left'
  | 'agreed'
  | 'follows'
  | 'when'
  | 'words';

/** Where no such column of a line says that the reader agreed, nobody knows it. */
export const ASKS: ReadonlySet<ConsentKind> = new Set([
  'status',
  'state',
  'agreed',
  'follows',
  'when',
]);

const LEFT =
  /^(?:(?:is)?unsub\p{L}*|(?:hard|soft)?bounc\p{L}*|complain\p{L}*|undeliver\p{L}*|suppress\p{L}*|(?:black|block|deny)list\p{L}*|block(?:ed)?|spam|junk|clean(?:ed)?|disabled|optedout|optout|donot|dn[cd]|cancel\p{L}*|deactivated|inactive|invalid|removed|deleted|archived|unconfirmed|quarantin\p{L}*|exclu(?:ded|sion)|stopped|pending|withdrawn|revoked|quit|exit|objection)$/u;
const AGREED =
  /^(?:optin|optedin|gdpr|dsgvo|rgpd|subscribed|consent(?:ed|ement|imiento|imento)?|consenso|toestemming|einwilligung|zustimmung|permissions?|marketing|newsletters?|nieuwsbrief|infolettre|rundbrief|boletin|boletim|enabled|active|activated|confirmed|verified|valid|deliverable|mailable|accept(?:s|ed)?|receives?|allow(?:s|ed)?)$/;
const FILL =
  /^(?:is|was|has|the|user|reader|subscriber|member|contact|customer|e|e?mails?|address|mailings?|list|hard|soft|single|double|first|last|global(?:ly)?|from|of|to|all|flag|campaigns?|eu|ist|auf|der|de|da|di|d)$/;
const WHEN_AND_WHERE =
  /^(?:at|on|since|time|timestamp|date|datetime|utc|ip|am|um|seit|datum|zeitpunkt|op|le|el|em|fecha|data)$/;
const WHY =
  /^(?:reason|other|type|count|title|id|source|send|receive|by|via|method|grund|motif|motivo|reden)$/;
/** When, and where from, a reader agreed. */
const AGREEMENT =
  /^(?:confirm|confirmation|doi|activation|optin|optedin|subscribe|subscription|subscriber|aktivierung|bestatigung|inscription|inscripcion|suscripcion|alta|inscricao|subscricao|iscrizione|aanmelding|inschrijving)$/;
const OF_STATUS =
  /^(?:anmelde|inscription|inscripcion|suscripcion|inscricao|iscrizione|subscription|membership|delivery|deliverability)$/;
const OF_TYPE = /^(?:e?mail|subscribe|subscriber|subscription|contact|member|membership|reader)$/;

/** Those of Patreon say who gets its updates; who pays need be neither. */
const NAMED: ReadonlyMap<string, ConsentKind> = new Map([
  ['state', 'state'],
  ['estado', 'state'],
  ['stato', 'state'],
  ['etat', 'state'],
  ['zustand', 'status'],
  ['toestand', 'status'],
  ['follows_you', 'follows'],
  ['free_member', 'follows'],
  ['email_subscription', 'status'],
  ['newsletter_subscription', 'status'],
  ['is_email_subscriber', 'agreed'],
  ['consent_to_send', 'agreed'],
  ['isexcludedfromcampaigns', 'left'],
]);

/** Columns of known programs that sound so, and tell of payment, of post, or when and where a reader signed up. */
const SAYS_NOTHING =
  /^(?:active_subscription|(?:(?:e?mail|marketing|eu|gdpr)_)?(?:subscri(?:be|bed|ber|ption)|opt_?in|consent)_?(?:id|via|method|source(?:_free|_paid)?|plan|name|page|form(?:_id|_version)?|message|url|interval|country|tier|premium_tiers?(?:_names)?)|subscription_(?:created|expires)_at|paid_subscriptions?(?:_date)?|subscriptions_gifted(?:_.+)?|gift_subscription_message|churn_date|commenting_disabled|subscriber_import_id|unsubscribe_(?:url|link)|(?:last|first)_active(?:_.+)?|days_active(?:_.+)?|(?:confirm|opt_?in)_ip|confirmation_(?:ip|timestamp)|mailing_(?:address|street|city|state|province|region|zip|postal_code|postcode|country)(?:_.+)?|(?:e?mail|mailing)_lists|card_.+|cancel_at_period_end|(?:consent|permission)_to_track|tracking_(?:consent|permission)|digest_enabled|churn_risk(?:_prediction)?|email_status_(?:changed_date|date|source)|(?:preferred_)?e?mail_(?:format|type)|became_a_.+|(?:date_(?:entered|exited)|(?:latest|cumulative)_time_in)_.+|(?:(?:first|last)_)?marketing_emails?_(?:sent|delivered|opened?|clicked?|replied|send_date|open_date|click_date|reply_date|name)|marketing_contact_(?:until_next_update|status_source_(?:type|name)))$/;
const OTHER_STATUS =
  /(?:^|_)(?:order|payment|charge|paid_subscription|patron|marital|lead|attendee)_status$|_updated(?:_at|_date)?$/;
/** Constant Contact has one for each address. */
const STATE_OF_ADDRESS = /^(?:address(?:_\d)?_state|state_(?:home|work|other))$/;
/** Of a postal address. */
const POSTAL =
  /^(?:(?:mailing|postal|home|billing|shipping)_)?(?:address|street|city|town|zip|zip_?code|postal_?code|postcode|country|ort|stadt|plz|land|ville|pays|ciudad|pais|cidade|citta|paese|provincia|stad)(?:_.+)?$/;
const OTHER_CHANNEL = /(?:^|_)(?:sms|phone|push|whatsapp|mobile|postal)(?:_|$)/;

const SPEAKS =
  /remoc|rimoss|verwijder|supprim|subscri|unsub|bounc|blocked|(?:black|block|deny)_?list|spam|junk|complain|deliverab|undeliver|suppress|cancel|inactive|deactiv|status|consent|permission|marketing|newsletter|opt_?(?:ed_?)?(?:in|out)|disabled|enabled|confirm|verif|gdpr|churn|abgemeldet|abmeld|abonn|austrag|ausgetrag|unzustell|widersp|sperr|einwillig|widerr|zustimm|suscri|iscri|statut|estado|inscri|nieuwsbrief|infolettre|rundbrief|boleti[mn]|toestemm|akkoord|consenso|permiso|autoriz|uitschr|ingeschr|aangemeld|geabonn|descadastr|assinante|notif|suspended|quarantin|banned|reject|exclude|reachable|contactable|trashed|abbestell|kundig|storni|erlaub|uitgeschr|afgemeld|(?:e?mail|mailing|contact|communication)_pref|(?:^|_)(?:wants?|opted|stop(?:ped)?|refused|muted|send_e?mails?|can_e?mail|be_e?mailed|e?mail_ok)(?:_|$)|stato(?:_|$)|(?:^|_)(?:opt|active|left|leave|invalid|mail(?:able|ing)|accept(?:s|ed)?|allow(?:s|ed)?|removed|deleted|archived|clean(?:ed)?|dn[cd]|abo|baja)(?:_|$)|do_?not_?(?:bulk|e?mail|contact|send|disturb)|no_?e?mail|(?:^|_)(?:de|des|dis|in|un)?(?:aktiv|aktiviert|actief|actif|activ[oa]|activad[oa]|ativ[oa]|ativad[oa]|attiv[oa]|attivat[oa])(?:_|$)|bestatig|bevestig|conferm|angemeldet|eingetragen|ungultig|rucklauf|geblok|bloque|bloccat|rebot|(?:^|_)(?:werbung|publicidad|publicite|pubblicita|agree[ds]?|on_hold|unreachable)(?:_|$)|(?:^|_)(?:gets?|ok(?:ay)?_to|may|bad)_e?mails?(?:_|$)|(?:^|_)(?:accept|accet|aceit|acept|akzept|souhait|wunsch|deseja|desider)|(?:^|_)(?:receiv(?:es?|ing)|rece(?:v(?:oir|ez)|b(?:er?|o|em))|recoi[st]|recib(?:ir|en?|o)|ricev(?:ere|[eio])|erhalt(?:en)?|empfang(?:t|en)|ontvang(?:t|en)|dese[ao]|quier[eo]n?|quer[eo]?|vuole|voglio|ve(?:ut|ux)|mochten?|wil|(?:can|may)_we)(?:_|$)|mail_(?:frequen|validit)|(?:^|_)dead_(?:e_?)?(?:mail|address)|austritt|(?:^|_)(?:emailable|(?:may|can)_contact|contact_(?:me|ok)|send_(?:me_)?updates|mail_list)(?:_|$)|^(?:updates|digest|news|e?_?mailings|e_?mails|weekly(?:_e?mail)?|send|sendable|bulletins?|bollettin[oi]|campaigns|promotions|announcements|alerts|communications?|comms|correspondence|letters?|invites|info(?:brief|mail)s?|rundschreiben|bezieher|lettres?(?:_d_?information)?|courriels?|accord|correos?|deliver|broadcasts?|marketable|ok_to_write|daily(?:_e?mail)?|empfanger|verteiler|zusenden|envoi|envios?)$|рассылк|подпис|согласи|ニュースレター|メルマガ|配信|nyhetsbrev|nyhedsbrev|uutiskirje|hirlevel|feliratk|zgod[ay]|zapisan|wypisan|bulten|aboneli|^(?:ended|end(?:ed)?_(?:at|on|date)|enddatum)$/;

/** Some words of names are places, too, such as Baja California. */
const SPEAKS_IN_CELL =
  /subscri|unsub|bounc|complain|suppress|cancel|inactiv|deactiv|spam|junk|undeliver|blocked|(?:black|block|deny)_?list|do_?not|no_?e?mail|removed|deleted|reject|suspended|quarantin|desinscri|desabonn|abgemeld|abbestell|austrag|ausgetrag|widerr|gekundigt|gesperrt|uitgeschr|afgemeld|desuscri|de_baja|descadastr|disiscri|opt_?(?:ed_?)?(?:in|out)/;

/** Null of a column that says nothing of it; `unclear` of one that may. */
export const findConsent = (name: string): ConsentKind | 'unclear' | null => {
  const plain = plainName(name);
  if (isOfElse(plain)) return null;
  const named = NAMED.get(plain.replace(STATE_OF_ADDRESS, 'state'));
  if (named !== undefined) return named;
  const words = wordsOf(plain);
  if (isStatus(words)) return words.some(isLeft) ? 'trouble' : 'status';
  if (areLeft(words)) return 'left';
  if (OTHER_CHANNEL.test(plain) && !plain.includes('mail')) return null;
  if (areAgreed(words)) return 'agreed';
  if (areWhen(words)) return 'when';
  return SPEAKS.test(plain) ? 'unclear' : null;
};

const isOfElse = (plain: string): boolean => SAYS_NOTHING.test(plain) || OTHER_STATUS.test(plain);

/** Whether a column is of the answer to a confirmation mail, which a signup is not. */
export const isConfirmed = (name: string): boolean =>
  /confirm|activat|verif|aktivi|bestatig|(?:^|_)doi(?:_|$)/.test(plainName(name));

/** Whether a time says more than that the reader signed up. */
export const isConfirmation = (name: string): boolean =>
  isConfirmed(name) || /consent|opt_?in/.test(name);

export const isPostal = (name: string): boolean => POSTAL.test(plainName(name));

const areLeft = (words: readonly string[]): boolean =>
  words.some(isLeft) && areAll(words, ...LEAVING, ...AGREEING, FILL, WHEN_AND_WHERE, WHY);

const areAgreed = (words: readonly string[]): boolean =>
  words.some(isAgreed) && areAll(words, ...AGREEING, FILL);

const areWhen = (words: readonly string[]): boolean =>
  words.some((word) => isAgreed(word) || AGREEMENT.test(word)) &&
  words.some((word) => WHEN_AND_WHERE.test(word)) &&
  areAll(words, WHEN_AND_WHERE, ...AGREEING, AGREEMENT, FILL);

const areAll = (words: readonly string[], ...forms: readonly RegExp[]): boolean =>
  words.every((word) => forms.some((form) => form.test(word)));

const isStatus = (words: readonly string[]): boolean => {
  const others = words.slice(0, -1);
  if (words.at(-1) === 'type') return areAll(others, OF_TYPE);
  const isLast = /^(?:status|state|statut|situacao|situacion|situazione)$/.test(words.at(-1) ?? '');
  return isLast && areAll(others, FILL, ...AGREEING, ...LEAVING, OF_STATUS);
};

/** `opt_out` and the like are one word, `abmeldedatum` is two; HubSpot has such a column for each type of mail. */
const wordsOf = (plain: string): string[] =>
  plain
    .replace(/_(?:other|home|work)$/, '')
    .replace(/^(stato|estado|etat|statut|situacao)_(.+)/, '$2_status')
    .replace(/^stop_(?=time|date|status|reason)/, 'stopped_')
    .replace(/(?<=\p{L}{6})(s?)(datum|zeitpunkt|grund|status)(?=_|$)/gu, '_$2')
    .replace(/^(opted_out)_of_e?mail_.+/, '$1')
    .replace(/opt(?:ed)?_(in|out)/g, 'opt$1')
    .replace(/(black|block|deny)_list|list[ea]_(?:noire|ne[rg]ra?)|zwarte_lijst/g, 'blacklist')
    .replace(/do_not(?=_)/g, 'donot')
    .replace(NOT_AGREED, '_donot_')
    .split('_')
    .filter(Boolean);

const NOT_AGREED =
  /(?:^|_)(?:not|non|no|never)_(?=(?:subscribed|newsletters?|consent|marketing|confirmed|verified|active|activated|e?mails?|contact)(?:_|$))/g;

const NOTHING = /^(?:|null|none|never|-|n\/a|\[\]|(?:0000-00-00|0001-01-01).*)$/;

const LEFT_WORDS =
  /^(?:inactive|needs_attention|un_?sub(?:scribed?)?(?:_(?:by|from|via)_.+)?|(?:not|non|never)_?(?:subscribed|confirmed|active|verified)|unactivated|unconfirmed|unverified|undeliverable|cleaned|new|abused?|unwanted|excluded|stopped|not_sending|(?:hard|soft)(?:_bounced?)?|bounced?|[45]\.\d{1,3}\.\d{1,3}|complain(?:ed|t)|cancell?ed|pending|validating|paused|invalid|disabled|removed|deleted|archived|suppressed|(?:black|block|deny)listed|blocked|spam(?:my|_(?:complaint|report(?:ed)?))?|junk|(?:marked|reported)(?:_as)?_spam|unreachable|temp(?:orary)?_hold|confirmed_bounce|delivery_error|by_(?:user|bounces?|moderator|unknown)|awaiting_confirmation|no_permissions?(?:_set)?|(?:permission_)?not_(?:set|opted_in)|opt(?:ed)?_?out|do_not_(?:e?mail|contact|send)|forgotten|declined|denied|rejected|refused|revoked|withdrawn|non_marketing_contact|cold|churned|former_patron)$/;
const STAYING_WORDS =
  /^(?:active|subscribed?|confirmed|verified|valid|deliverable|enabled|opt(?:ed)?_?in|free|paid|premium|regular|comp(?:ed|limentary)?|gift(?:ed)?|trial(?:ed|ing)?|founding|lifetime|author|editor|past_due|churning|(?:(?:active|free|paid|monthly|yearly|annual)_)?(?:subscriber|member|reader)|monthly|yearly|annual|(?:single|double)_opt_?in|accepted|express|explicit|implicit|implied|granted|marketing_contact)$/;

/** In French, Dutch, German, Spanish, Portuguese and Italian, without accents. */
const LEFT_ABROAD =
  /^(?:desabonnee?|desinscrite?|(?:non|pas)_(?:abonnee?|inscrite?|confirmee?)|inactif|annulee?|bloquee?|supprimee?|en_attente|resiliee?|uitgeschreven|afgemeld|niet_(?:ingeschreven|aangemeld|bevestigd)|onbevestigd|uitschrijving|afmelding|disiscrizione|cancellazione|desinscription|desabonnement|remocao|descadastro|inactief|opgezegd|geblokkeerd|verwijderd|geannuleerd|abgemeldet|ausgetragen|nicht_(?:angemeldet|abonniert|bestatigt)|inaktiv|gekundigt|gesperrt|geloscht|gebounc(?:e?d|t)|neu|unzustellbar|unerwunscht|rucklaufer|widerspruch|widerruf|abmelde|abmeldung|unbestatigt|ausstehend|deaktiviert|widerrufen|dad[oa]_de_baja|baja|desuscrit[oa]|no_(?:suscrit[oa]|inscrit[oa]|confirmad[oa])|inactiv[oa]|cancelad[oa]|bloquead[oa]|eliminad[oa]|rebotad[oa]|pendiente|descadastrad[oa]|nao_(?:inscrit[oa]|confirmad[oa])|inativ[oa]|removid[oa]|excluid[oa]|pendente|disiscritt[oa]|non_(?:iscritt[oa]|confermat[oa])|inattiv[oa]|annullat[oa]|cancellat[oa]|bloccat[oa]|disattivat[oa]|in_attesa)$/;
const STAYING_ABROAD =
  /^(?:abonnee?|inscrite?|actif|confirmee?|ingeschreven|aangemeld|geabonneerd|actief|bevestigd|angemeldet|eingetragen|abonniert|aktiv|aktiviert|bestatigt|suscrit[oa]|inscrit[oa]|subscrit[oa]|activ[oa]|confirmad[oa]|ativ[oa]|assinante|iscritt[oa]|attiv[oa]|confermat[oa])$/;

const LEAVING = [LEFT, LEFT_ABROAD];
const AGREEING = [AGREED, STAYING_ABROAD];
const isLeft = (word: string): boolean => LEAVING.some((form) => form.test(word));
const isAgreed = (word: string): boolean => AGREEING.some((form) => form.test(word));

/** Of the United States, Canada and Australia. */
const STATE_CODES: ReadonlySet<string> = new Set(
  `al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa ri
  sc sd tn tx ut vt va wa wv wi wy dc as gu mp pr vi aa ae ap ab bc mb nb nl ns nt nu on pe qc sk yt act nsw qld sa tas
  vic`.split(/\s+/),
);
/** Such as DE-BY. */
const STATE_OF_COUNTRY = /^[a-z]{2}-[a-z\d]{1,3}$/;
/** Of the United States, Canada and Australia. */
const NAMED_STATE =
  /^(?:alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|district_of_columbia|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|ohio|oklahoma|oregon|pennsylvania|puerto_rico|rhode_island|tennessee|texas|utah|vermont|washington|wisconsin|wyoming|new_(?:hampshire|jersey|mexico|york|brunswick|south_wales)|(?:north|south)_(?:carolina|dakota)|(?:west_)?virginia|alberta|british_columbia|manitoba|newfoundland_and_labrador|nova_scotia|ontario|prince_edward_island|quebec|saskatchewan|yukon|queensland|tasmania|victoria|(?:south|western)_australia|northern_territory)$/;
/** A day, at the start of a time, or seconds since 1970. */
const WHEN = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|^\d{9,13}$/;

/** Whether a cell is a time. */
export const isWhen = (cell: string): boolean => WHEN.test(cell.trim());

/** Whether a cell is empty, or says that there is nothing. */
export const isNothing = (cell: string): boolean =>
  NOTHING.test(cell.trim().toLowerCase()) || readYesNo(cell) === false;

const OUT_WORDS =
  /^(?:abgemeldet|uitgeschreven|afgemeld|desabonnee?|desinscrite?|desuscrit[oa]|dad[oa]_de_baja|descadastrad[oa]|disiscritt[oa]|un_?sub(?:scribed?)?|not_subscribed|unsub(?:bed|scribes)|undeliverable|unzustellbar|cleaned|(?:(?:hard|soft)_?)?bounce(?:d|s)?|rebotad[oa]|complain(?:ed|ts?)|(?:spam|abuse)_?complaints?|abuse|spam(?:_?(?:report(?:ed)?|trap))?|reported_(?:as_)?spam|suppress(?:ed|ions?)|dropped|blocked|banned|rejected|invalid(?:_e?mail(?:_address)?)?|mailbox_full|unknown_user|former_(?:subscriber|member|reader)|(?:black|block|deny)listed|opt(?:ed)?_?out|do_not_(?:e?mail|contact|send)|former_patron|(?:(?:never|not)_|un)confirmed|never_subscribed|removed|dnc)(?:_(?:by|from|via)_.+|_(?:(?:on|at|since|am|le|op|el|il|em)_)?\(?\d[\d_/.:tz]*\)?)?$/;

/** Gets the mails of Patreon without following there. */
const PATRON = /^(?:active|declined)_patron$/;

export type Answer = 'left' | 'unclear' | 'agreed';

/** What a cell says; null where it says nothing. */
export const readConsent = (kind: ConsentKind, cell: string): Answer | null => {
  const plain = plainOf(cell);
  if (kind === 'left') return isNothing(cell) ? null : 'left';
  if (kind === 'follows') return readYesNo(cell) === true ? 'agreed' : null;
  if (kind === 'words') return readWords(cell, plain);
  if (plain === '' || (kind === 'when' && isNothing(cell))) return null;
  if (kind === 'trouble') return readTrouble(cell, plain);
  return readWord(plain) ?? readOther(kind, cell, plain);
};

const readWords = (cell: string, plain: string): Answer | null => {
  if (cell.split(/[,;|\n]| \/ /).some((one) => OUT_WORDS.test(plainOf(one)))) return 'left';
  return PATRON.test(plain) ? 'agreed' : null;
};

const readWord = (plain: string): Answer | null => {
  if (LEFT_WORDS.test(plain) || LEFT_ABROAD.test(plain)) return 'left';
  return STAYING_WORDS.test(plain) || STAYING_ABROAD.test(plain) ? 'agreed' : null;
};

/** No says that there is none. */
const readTrouble = (cell: string, plain: string): Answer | null => {
  if (isNothing(cell)) return null;
  return readYesNo(cell) === true ? 'left' : (readWord(plain) ?? 'unclear');
};

const plainOf = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/["'[\]]/g, '')
    .trim()
    .replace(/[\s_-]+/g, '_');

/** One of several permissions. */
const E_MAIL = /(?:^|,_?)e_?mail(?:,|$)/;

/** Of a word that is of no status. */
const readOther = (kind: ConsentKind, cell: string, plain: string): Answer | null => {
  if (kind === 'when') return /\d/.test(cell) || readYesNo(cell) === true ? 'agreed' : 'unclear';
  if (kind === 'place') return SPEAKS_IN_CELL.test(plain) ? 'unclear' : null;
  if (/^(?:state|region)$/.test(kind) && isState(cell, plain))
    return kind === 'state' ? 'agreed' : null;
  if (kind === 'agreed') return readAgreed(cell, plain);
  return readStatus(plain);
};

/** A number may stand for any status. */
const readStatus = (plain: string): Answer => {
  const answer = /^[a-z]{2,}$/.test(plain) ? readYesNo(plain) : null;
  if (answer === null) return 'unclear';
  return answer ? 'agreed' : 'left';
};

const isState = (cell: string, plain: string): boolean =>
  STATE_CODES.has(plain) ||
  STATE_OF_COUNTRY.test(cell.trim().toLowerCase()) ||
  NAMED_STATE.test(plain);

const readAgreed = (cell: string, plain: string): Answer | null => {
  if (isNothing(cell)) return 'left';
  if (/^(?:unknown|unbekannt|unchanged)$/.test(plain)) return null;
  return isWhen(cell) || readYesNo(cell) === true || E_MAIL.test(plain) ? 'agreed' : 'unclear';
};
