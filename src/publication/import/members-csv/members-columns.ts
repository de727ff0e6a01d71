// The columns of a members CSV, by Ghost's names, and what Ghost, spreadsheets and other programs call them elsewhere.
export const MEMBERS_COLUMNS = [
  'id',
  'email',
  'name',
  'note',
  'subscribed_to_emails',
  'complimentary_plan',
  'stripe_customer_id',
  'created_at',
  'deleted_at',
  'labels',
  'tiers',
  'gift_id',
] as const;

export type MembersColumn = (typeof MEMBERS_COLUMNS)[number];

const OTHER_NAMES: Readonly<Record<string, MembersColumn>> = {
  subscribed: 'subscribed_to_emails',
  subscribed_to_email: 'subscribed_to_emails',
  import_tier: 'tiers',
};

/** `Subscribed to emails` and `subscribedToEmails` are `subscribed_to_emails`; accents are left out. */
export const plainName = (name: string): string =>
  name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

export const findMembersColumn = (name: string): MembersColumn | null => {
  const plain = plainName(name);
  if (Object.hasOwn(OTHER_NAMES, plain)) return OTHER_NAMES[plain] ?? null;
  return MEMBERS_COLUMNS.find((column) => column === plain) ?? null;
};

const FOREIGN_NAMES: Readonly<Record<string, MembersColumn>> = {
  notes: 'note',
  tags: 'labels',
  // Of Ghost 4.
  products: 'tiers',
};
const FOREIGN_EMAIL =
  /^(?:(?:subscriber|contact|member|user|customer|reader|primary)_)?e_?mail(?:_?(?:address|adres(?:se)?|id))?(?:_(?:1(?:_value)?|other|home|work))?$|^(?:adresse|indirizzo|endereco|direccion)(?:_de)?_(?:e_?mail|mail|correo)$|^(?:mailadresse|courriel|correo(?:_electronico)?|subscriber)$/;

/** What another program's column is, by its plain name, where the file has none of Ghost's name for it. */
export const findForeignColumn = (name: string): MembersColumn | undefined => {
  if (FOREIGN_EMAIL.test(name)) return 'email';
  return Object.hasOwn(FOREIGN_NAMES, name) ? FOREIGN_NAMES[name] : undefined;
};

/** Other programs' names of a name and of a time of signup: several may stand in one file; the first that says something counts, of times the first that can be read. */
export const NAMES = ['full_name', 'subscriber_name', 'contact_name', 'display_name'];
const listOf = (words: string): string[] => words.trim().split(/\s+/);
export const FIRST_NAMES = listOf(
  'first_name firstname fname vorname voornaam prenom nombre nome primeiro_nome',
);
export const LAST_NAMES = listOf(
  'last_name lastname lname nachname achternaam nom apellidos cognome sobrenome ultimo_nome',
);
export const TIMES = listOf(`
  confirm_time optin_time created_at created creation_date start_date added_time subscribed_at subscribed_on
  subscription_date signup_date date_added orig_subscribed_at opt_in_time date_created create_date created_utc
  created_at_utc created_on time_subscribed subscriber_since patronage_since_date joined joined_at date_joined
  date_registered registered date_subscribed profile_created_on since registriert registriert_am
  registrierungsdatum anmeldedatum eintragungsdatum erstellt erstellt_am angelegt_am eingetragen_am angemeldet_am
  hinzugefugt_am aangemeld_op date_d_inscription inscrit_le date_d_ajout fecha_de_alta data_iscrizione
  data_de_inscricao data_de_subscricao signed_up sign_up joined_on createdat`);
