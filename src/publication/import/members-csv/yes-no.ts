// The words for yes and no that cells of a members CSV hold: spreadsheets write them in the language of the reader, and
// databases as `t` or `1.0`.
const YES =
  /^(?:true|wahr|waar|vrai|vero|verdadero|verdadeiro|prawda|sant|sand|sann|tosi|pravda|igaz|adevarat|истина|t|yes|y|ja|oui|si|sim|1|1[.]0|on)$/;
const NO =
  /^(?:false|falsch|onwaar|faux|falso|fałsz|falsz|falskt?|usann|epatosi|nepravda|hamis|fals|ложь|f|no|n|nein|non|nee|nao|0|0[.]0|off)$/;

/** Null of a word that is neither. */
export const readYesNo = (cell: string): boolean | null => {
  const word = cell
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '');
  return YES.test(word) || (NO.test(word) ? false : null);
};
