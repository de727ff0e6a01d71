-- What a webhook sends in its own way, headers and body template, as JSON and sealed like its secret. Beside it what of that
-- may be shown, as JSON: names of headers, the preset, whether there is a template.
ALTER TABLE webhooks ADD COLUMN request_sealed BLOB;
ALTER TABLE webhooks ADD COLUMN request_shown TEXT;
-- Why an attempt came to nothing, in a sentence, where the code alone does not say it.
ALTER TABLE attempts ADD COLUMN reason TEXT;
