// Asks before a post is published, scheduled or taken back.
import { useState } from 'preact/hooks';
import { useDesk } from '../../context.ts';
import { Question } from '../../ui/question.tsx';
import { type Asked, questionOf } from './post-move.ts';
import type { PostRoot } from './writing/post-draft.ts';

type Props = Asked & {
  readonly root: PostRoot;
  readonly permalinks: string;
  readonly opener: Element | null;
  readonly onYes: (asked: Asked) => void;
  readonly onClose: () => void;
};

export const PostQuestion = ({ post, move, root, permalinks, opener, onYes, onClose }: Props) => {
  const { site, zone } = useDesk();
  const [now] = useState(() => new Date().toISOString());
  const question = questionOf(
    { post, move },
    { root, permalinks, now, zone, url: site?.url ?? '' },
  );
  return (
    <Question {...question} opener={opener} onYes={() => onYes({ post, move })} onClose={onClose} />
  );
};
