// Calls that Ghost's clients have and this server does not: what to do instead.
import { NOT_FOUND } from '../../../content/paths/problems.ts';
import { ProblemError } from '../problems/problem.ts';

type Refused = {
  readonly methods: readonly string[];
  /** Of the path below the admin interface. */
  readonly begins: string;
  readonly sentence: string;
};

const REFUSED: readonly Refused[] = [
  {
    methods: ['POST', 'PUT', 'DELETE'],
    begins: 'users/',
    sentence:
      'Users are read here and not written: edit them where they come from and run "prepress import" again, or change their rows in the database.',
  },
  {
    methods: ['DELETE'],
    begins: 'newsletters/',
    sentence: 'A newsletter is not deleted: archive it by a PUT with status "archived".',
  },
  {
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    begins: 'themes/',
    sentence: 'There are no themes here: pages are made of the templates of Eleventy in content/.',
  },
];

const OTHERS =
  'Prepress does not offer this call: /docs/ and docs/admin-interface.md name those that it does.';

/** `path`: below the admin interface. */
export const refusalOf = (method: string, path: string): ProblemError => {
  const slashed = path.endsWith('/') ? path : `${path}/`;
  const refused = REFUSED.find(
    ({ methods, begins }) => methods.includes(method) && slashed.startsWith(begins),
  );
  return refused === undefined ? notOffered() : problem(refused.sentence);
};

/** `also`: a sentence on what the call may have been meant for. */
export const notOffered = (also = ''): ProblemError => problem(`${OTHERS} ${also}`.trim());

const problem = (message: string): ProblemError => new ProblemError({ ...NOT_FOUND, message });
