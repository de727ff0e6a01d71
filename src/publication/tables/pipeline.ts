// Row types of keys, webhooks, the change log, builds and the outbox; their times are milliseconds.
import type { Generated } from 'kysely';
import type { Each } from '../../base/text/words.ts';

export type ApiKeysTable = Each<string, 'id type name secret_sha256'> &
  Each<number | null, 'last_seen_at revoked_at'> & {
    secret_sealed: Buffer;
    created_at: number;
    /** 1 or 0. */
    is_owner: Generated<number>;
  };

export type WebhooksTable = Each<string, 'id event target_url'> &
  Each<string | null, 'name integration_id disabled_reason'> &
  Each<string | null, 'last_triggered_status last_triggered_error'> &
  Each<Generated<string>, 'api_version status'> &
  Each<number | null, 'previous_secret_until failing_since owner_told_at'> &
  Each<number | null, 'last_triggered_at updated_at'> & {
    secret_sealed: Buffer;
    previous_secret_sealed: Buffer | null;
    /** JSON of headers and body template, sealed. */
    request_sealed: Buffer | null;
    /** JSON of what may be shown of it. */
    request_shown: string | null;
    created_at: number;
  };

export type ActionScopeTable = { id: number; action: string | null };

export type ChangesTable = Each<string, 'entity op row_id record_id'> &
  Each<string | null, 'other_id old_record_id old_other_id old action'> & {
    seq: Generated<number>;
    nonce: Generated<Buffer>;
  };

export type LogStateTable = { id: number } & Each<string, 'epoch triggers_sha256'>;

export type SetAsideTable = Each<string, 'entity id problems epoch'> &
  Each<number, 'since seq broken_seq'> &
  Each<string | null, 'kept_key kept'> & { hidden_seq: number | null };

export type PublishedPositionTable = Each<number, 'id seq generation finished_at'> &
  Each<number | null, 'swept_at steady_since'> & { epoch: string; nonce: Buffer | null };

export type BuildsTable = Each<string, 'id state requested_by'> &
  Each<string | null, 'kind report error'> &
  Each<number | null, 'generation started_at finished_at'> & { requested_at: number };

export type EventsTable = Each<string, 'id action event record_id'> &
  Each<number, 'generation ordinal created_at'> & {
    /** With BODY_MARK in the place of a body that is stored. */
    payload: string;
    body_id: number | null;
  };

export type EventBodiesTable = { id: Generated<number> } & Each<Buffer, 'sha256 body'>;

export type DeliveriesTable = Each<string, 'id event_id webhook_id'> &
  Each<number, 'due_at created_at'> &
  Each<number | null, 'held_until lease_until finished_at'> &
  Each<Generated<number>, 'attempts wait_ms'> & {
    state: Generated<string>;
    lease_owner: string | null;
  };

export type AttemptsTable = Each<string, 'id delivery_id'> &
  Each<number, 'number started_at duration_ms'> &
  Each<string | null, 'error reason response'> & { status: number | null };

export type VerificationTokensTable = Each<string, 'token_sha256 newsletter_id property value'> &
  Each<number, 'created_at expires_at'> &
  Each<number | null, 'used_at revoked_at'>;

export type VerificationMailsTable = Each<string, 'id address'> & {
  key_id: string | null;
  created_at: number;
};

export type DuePostsTable = Each<string, 'post_id updated_at'> & {
  seen_at: string | number | null;
};

export type FollowingTable = Each<number, 'id began_at'> & {
  source: string;
  detached_at: number | null;
  revision: Generated<number>;
  taken: string | null;
};

export type FollowedBlocksTable = Each<string, 'name upto rows'>;

export type FollowedRowsTable = Each<string, 'name id'> & {
  target: string | null;
  /** 1 or 0. */
  is_waiting: number;
  /** JSON of a SourceProblem. */
  problem: string | null;
  /** Milliseconds. */
  since: number | null;
};

/** `change`, `report` and `counts` are JSON. */
export type BulkJobsTable = Each<string, 'id change report'> &
  Each<Generated<number>, 'members_total members_done'> & {
    kind: 'import' | 'edit' | 'delete';
    state: 'reading' | 'running' | 'done' | 'failed';
    counts: Generated<string>;
    error: string | null;
    created_at: number;
    ended_at: number | null;
  };

export type BulkLinesTable = Each<string, 'job_id text'> & { seq: number };

export type PostRevisionsTable = Each<string, 'id post_id title created_at'> &
  Each<string | null, 'html lexical key_id'>;

export type PreviewLinksTable = { id: number; epoch: string };

export type MediaTable = Each<string, 'path sha256'> & Each<number, 'number bytes'>;

/** `member_id`: an id, or what stands for an address (leftKeyOf). */
export type LeftMembersTable = Each<string, 'member_id newsletter_id left_at'>;

export type PipelineTables = {
  left_members: LeftMembersTable;
  media: MediaTable;
  preview_links: PreviewLinksTable;
  post_revisions: PostRevisionsTable;
  bulk_jobs: BulkJobsTable;
  bulk_lines: BulkLinesTable;
  api_keys: ApiKeysTable;
  webhooks: WebhooksTable;
  action_scope: ActionScopeTable;
  changes: ChangesTable;
  log_state: LogStateTable;
  set_aside: SetAsideTable;
  published_position: PublishedPositionTable;
  builds: BuildsTable;
  events: EventsTable;
  event_bodies: EventBodiesTable;
  deliveries: DeliveriesTable;
  attempts: AttemptsTable;
  verification_tokens: VerificationTokensTable;
  verification_mails: VerificationMailsTable;
  due_posts: DuePostsTable;
  following: FollowingTable;
  followed_blocks: FollowedBlocksTable;
  followed_rows: FollowedRowsTable;
};
