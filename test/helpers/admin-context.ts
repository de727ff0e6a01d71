// A context of the admin shape for tests.
import {
  type AdminContext,
  createAdminContext,
} from '../../src/publication/documents/admin/document-context.ts';

const SITE = 'https://site.example';

export const adminContext = (
  options: Partial<Parameters<typeof createAdminContext>[0]> = {},
): AdminContext =>
  createAdminContext({
    siteUrl: SITE,
    tiers: [],
    now: Date.parse('2026-01-02T00:00:00Z'),
    ...options,
  });
