// Row types of keys, webhooks, the change log, builds and the outbox; their times are milliseconds.
import type { Generated } from 'kysely';

export type ApiKeysTable = {
  id: string;
  type: string;
  name: string;
  secret_sha256: string;
  secret_sealed: Buffer;
  created_at: number;
  last_seen_at: number | null;
  revoked_at: number | null;
  /** 1 or 0. */
  is_owner: Generated<number>;
};

export type WebhooksTable = {
  id: string;
  event: string;
  target_url: string;
  name: string | null;
  secret_sealed: Buffer;
  previous_secret_sealed: Buffer | null;
  previous_secret_until: number | null;
  /** JSON of headers and body template, sealed. */
  request_sealed: Buffer | null;
  /** JSON of what may be shown of it. */
  request_shown: string | null;
  api_version: Generated<string>;
  integration_id: string | null;
  status: Generated<string>;
  disabled_reason: string | null;
  failing_since: number | null;
  owner_told_at: number | null;
  last_triggered_at: number | null;
  last_triggered_status: string | null;
  last_triggered_error: string | null;
  created_at: number;
  updated_at: number | null;
};

export type ActionScopeTable = {
  id: number;
  action: string | null;
};

export type ChangesTable = {
  seq: Generated<number>;
  entity: string;
  op: string;
  row_id: string;
  record_id: string;
  other_id: string | null;
  old_record_id: string | null;
  old_other_id: string | null;
  old: string | null;
  action: string | null;
  nonce: Generated<Buffer>;
};

export type LogStateTable = {
  id: number;
  epoch: string;
  triggers_sha256: string;
};

export type SetAsideTable = {
  entity: string;
  id: string;
  problems: string;
  since: number;
  epoch: string;
  seq: number;
  broken_seq: number;
  hidden_seq: number | null;
  kept_key: string | null;
  kept: string | null;
};

export type PublishedPositionTable = {
  id: number;
  epoch: string;
  seq: number;
  nonce: Buffer | null;
  generation: number;
  finished_at: number;
  swept_at: number | null;
  steady_since: number | null;
};

export type BuildsTable = {
  id: string;
  generation: number | null;
  kind: string | null;
  state: string;
  requested_by: string;
  requested_at: number;
  started_at: number | null;
  finished_at: number | null;
  report: string | null;
  error: string | null;
};

export type EventsTable = {
  id: string;
  generation: number;
  action: string;
  event: string;
  record_id: string;
  ordinal: number;
  /** With BODY_MARK in the place of a body that is stored. */
  payload: string;
  body_id: number | null;
  created_at: number;
};

export type EventBodiesTable = {
  id: Generated<number>;
  sha256: Buffer;
  body: Buffer;
};

export type DeliveriesTable = {
  id: string;
  event_id: string;
  webhook_id: string;
  state: Generated<string>;
  attempts: Generated<number>;
  due_at: number;
  wait_ms: Generated<number>;
  held_until: number | null;
  lease_owner: string | null;
  lease_until: number | null;
  created_at: number;
  finished_at: number | null;
};

export type AttemptsTable = {
  id: string;
  delivery_id: string;
  number: number;
  started_at: number;
  duration_ms: number;
  status: number | null;
  error: string | null;
  reason: string | null;
  response: string | null;
};

export type VerificationTokensTable = {
  token_sha256: string;
  newsletter_id: string;
  property: string;
  value: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
  revoked_at: number | null;
};

export type VerificationMailsTable = {
  id: string;
  key_id: string | null;
  address: string;
  created_at: number;
};

export type DuePostsTable = {
  post_id: string;
  seen_at: string | number | null;
  updated_at: string;
};

export type FollowingTable = {
  id: number;
  source: string;
  began_at: number;
  detached_at: number | null;
  revision: Generated<number>;
  taken: string | null;
};

export type FollowedBlocksTable = {
  name: string;
  upto: string;
  rows: string;
};

export type FollowedRowsTable = {
  name: string;
  id: string;
  target: string | null;
  /** 1 or 0. */
  is_waiting: number;
  /** JSON of a SourceProblem. */
  problem: string | null;
  /** Milliseconds. */
  since: number | null;
};

export type BulkJobsTable = {
  id: string;
  kind: 'import' | 'edit' | 'delete';
  /** JSON. */
  change: string;
  state: 'reading' | 'running' | 'done' | 'failed';
  members_total: Generated<number>;
  members_done: Generated<number>;
  /** JSON. */
  report: string;
  /** JSON. */
  counts: Generated<string>;
  error: string | null;
  created_at: number;
  ended_at: number | null;
};

export type BulkLinesTable = {
  job_id: string;
  seq: number;
  text: string;
};

export type PipelineTables = {
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
