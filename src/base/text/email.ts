// E-mail addresses as clients may send them: a local part of one run, and a domain with a top-level one;
// letters of any script. Nothing that could end a header or open a second address.

import { domainToASCII, domainToUnicode } from 'node:url';
import * as z from 'zod';
import { NAME_CHARACTERS_MAX } from '../limits.ts';

const LOCAL = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const TOP_LABEL = /^(?:xn--[a-z0-9-]+|[\p{L}\p{M}]{2,})$/iu;
const LOCAL_MAX = 64;
const LABEL_MAX = 63;

export const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || text.length > NAME_CHARACTERS_MAX || local.length > LOCAL_MAX) return false;
  return LOCAL.test(local) && isDomain(domain);
};

const isDomain = (domain: string): boolean => {
  const labels = domain.split('.');
  return (
    labels.length >= 2 &&
    labels.every((label) => label.length <= LABEL_MAX && LABEL.test(label)) &&
    TOP_LABEL.test(labels.at(-1) ?? '')
  );
};

/** For messages, which quote nothing that may name somebody. */
export const emailFault = (text: string): string => {
  const at = text.lastIndexOf('@');
  const why = isDomain(text.slice(at + 1))
    ? 'it is too long, or the part before "@" has a character that it cannot have'
    : 'no domain such as example.com follows "@"';
  return `is not a valid e-mail address: ${at === -1 ? 'it has no "@"' : why}`;
};

/** White space around the address is dropped and its characters are composed (NFC); its case is kept. */
export const email: z.ZodType<string> = z
  .string()
  .transform((value) => value.trim().normalize('NFC'))
  .refine(isEmail, { error: ({ input }) => emailFault(String(input)) });

/** As a column compares addresses: without regard to the case of ASCII letters. */
export const foldEmail = (email: string): string =>
  email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whether one mailbox may be written otherwise: with letters of any script, or their domain in ASCII (RFC 3492). */
export const isInternational = (email: string): boolean => /\P{ASCII}|[@.]xn--/iu.test(email);

/** As it is written, and with its domain in ASCII and in letters. */
export const spellingsOf = (email: string): string[] => [
  ...new Set([email, withDomain(email, domainToASCII), withDomain(email, domainToUnicode)]),
];

/** The same for every spelling of a mailbox. */
export const mailboxOf = (email: string): string => withDomain(email, domainToASCII).toLowerCase();

/** A domain that cannot be written so stays. */
const withDomain = (email: string, write: (domain: string) => string): string => {
  const at = email.lastIndexOf('@') + 1;
  return email.slice(0, at) + (write(email.slice(at)) || email.slice(at));
};
