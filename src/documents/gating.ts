// Takes out of a body what an anonymous reader may not see: the part behind the members-only marker,
// the whole body of a post without one, and blocks that are gated for members. What cannot be
// understood is withheld: every doubt closes the gate.

export type Visibility = 'public' | 'members' | 'paid' | 'tiers';

export type GatedBody = {
  readonly html: string;
  /** whole: nothing was taken out; cut: a part was; withheld: no part of the body is shown. */
  readonly state: 'whole' | 'cut' | 'withheld';
};

// The start of the comment is enough: one that is not closed, or goes on, hides what follows too.
const MEMBERS_ONLY = /<!--\s*members[-_\s]*only(?![a-z0-9])/i;
const BLOCK_COMMENT = /<!--\s*kg-gated-block\s*:\s*(?:(begin)(?![a-z0-9])|end\s*-->)/gi;
const BLOCK_SETTING = /([A-Za-z]+)\s*:\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g;
const COMMENT_END = '-->';

/** Anything but the three open words is shown, and closed, as `tiers`. */
export const readVisibility = (stored: unknown): Visibility =>
  stored === 'public' || stored === 'members' || stored === 'paid' ? stored : 'tiers';

export const gateForAnonymous = (html: string, visibility: Visibility): GatedBody => {
  if (visibility === 'public') return removeGatedBlocks(html, 'whole');
  const marker = html.search(MEMBERS_ONLY);
  if (marker === -1) return { html: '', state: 'withheld' };
  return removeGatedBlocks(html.slice(0, marker), 'cut');
};

// Blocks are not nested by the editor; where they are, the text is shown only if every block around
// it is. A block that never ends withholds everything from its beginning on.
const removeGatedBlocks = (html: string, untouched: 'whole' | 'cut'): GatedBody => {
  const comments = html.includes('<!--') ? [...html.matchAll(BLOCK_COMMENT)] : [];
  if (comments.length === 0) return { html, state: untouched };
  const openBlocks: boolean[] = [];
  let shown = '';
  let shownBeforeBlocks = 0;
  let position = 0;
  const take = (end: number): void => {
    if (openBlocks.every((isShown) => isShown)) shown += html.slice(position, end);
  };
  for (const comment of comments) {
    if (comment.index < position) continue;
    take(comment.index);
    if (comment[1] === undefined) {
      position = comment.index + comment[0].length;
      openBlocks.pop();
      continue;
    }
    if (openBlocks.length === 0) shownBeforeBlocks = shown.length;
    const settingsStart = comment.index + comment[0].length;
    const end = html.indexOf(COMMENT_END, settingsStart);
    const settings = end === -1 ? '' : html.slice(settingsStart, end);
    openBlocks.push(isShownToAnonymous(settings));
    position = end === -1 ? html.length : end + COMMENT_END.length;
  }
  if (openBlocks.length > 0) return { html: shown.slice(0, shownBeforeBlocks), state: 'cut' };
  take(html.length);
  return { html: shown, state: 'cut' };
};

const isShownToAnonymous = (settings: string): boolean => {
  if (/[\r\n]|<!--/.test(settings)) return false;
  if (/["']/.test(settings.replace(BLOCK_SETTING, ''))) return false;
  const values: string[] = [];
  for (const [, key, double, single, bare] of settings.matchAll(BLOCK_SETTING)) {
    if (key === 'nonMember') values.push(double ?? single ?? bare ?? '');
  }
  return values.length > 0 && values.every((value) => value === 'true');
};
