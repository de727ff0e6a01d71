// The way through a list of pages.
import type { Pagination } from '../records.ts';
import { setQuery } from '../route.ts';
import { plural } from './words.ts';

type Props = { readonly pagination: Pagination; readonly noun: string };

export const Pager = ({ pagination: { page, pages, total, next, prev }, noun }: Props) => (
  <div class="pager">
    <span>{plural(total, noun)}</span>
    {pages > 1 && (
      <span class="row">
        <PageButton to={prev} label="Previous" />
        <span>
          Page {page} of {pages}
        </span>
        <PageButton to={next} label="Next" />
      </span>
    )}
  </div>
);

const PageButton = ({ to, label }: { readonly to: number | null; readonly label: string }) => (
  <button
    type="button"
    disabled={to === null}
    onClick={() => setQuery({ page: to === null || to === 1 ? '' : String(to) })}
  >
    {label}
  </button>
);
