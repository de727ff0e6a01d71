-- Records that stand under another name than their slug: few, and asked for by each build.
CREATE INDEX records_by_other_name ON records (resource, slug, segment) WHERE segment <> slug;
