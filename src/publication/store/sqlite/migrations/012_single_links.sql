-- Two rows are linked once. Of links that stand twice, the first in order stays.
DELETE FROM posts_tags WHERE id NOT IN (
  SELECT first_value(id) OVER (PARTITION BY post_id, tag_id ORDER BY sort_order, id) FROM posts_tags
);
DROP INDEX posts_tags_by_tag;
CREATE UNIQUE INDEX posts_tags_by_tag ON posts_tags (tag_id, post_id);
DELETE FROM posts_authors WHERE id NOT IN (
  SELECT first_value(id) OVER (PARTITION BY post_id, author_id ORDER BY sort_order, id) FROM posts_authors
);
DROP INDEX posts_authors_by_author;
CREATE UNIQUE INDEX posts_authors_by_author ON posts_authors (author_id, post_id);
DELETE FROM posts_tiers WHERE id NOT IN (
  SELECT first_value(id) OVER (PARTITION BY post_id, tier_id ORDER BY sort_order, id) FROM posts_tiers
);
CREATE UNIQUE INDEX posts_tiers_by_tier ON posts_tiers (tier_id, post_id);
DELETE FROM tiers_benefits WHERE id NOT IN (
  SELECT first_value(id) OVER (PARTITION BY tier_id, benefit_id ORDER BY sort_order, id) FROM tiers_benefits
);
CREATE UNIQUE INDEX tiers_benefits_by_benefit ON tiers_benefits (benefit_id, tier_id);
DELETE FROM members_labels WHERE id NOT IN (
  SELECT first_value(id) OVER (PARTITION BY member_id, label_id ORDER BY sort_order, id) FROM members_labels
);
DROP INDEX members_labels_by_label;
CREATE UNIQUE INDEX members_labels_by_label ON members_labels (label_id, member_id);
DELETE FROM members_newsletters WHERE id NOT IN (
  SELECT first_value(id) OVER (PARTITION BY member_id, newsletter_id ORDER BY id) FROM members_newsletters
);
DROP INDEX members_newsletters_by_newsletter;
CREATE UNIQUE INDEX members_newsletters_by_newsletter ON members_newsletters (newsletter_id, member_id);
DELETE FROM members_tiers WHERE id NOT IN (
  SELECT first_value(id) OVER (PARTITION BY member_id, tier_id ORDER BY sort_order, id) FROM members_tiers
);
DROP INDEX members_tiers_by_tier;
CREATE UNIQUE INDEX members_tiers_by_tier ON members_tiers (tier_id, member_id);
