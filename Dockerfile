# The companion server of a publication: docker build -t prepress . && docker run -p 127.0.0.1:4000:4000 prepress
# With nginx before it: compose.yaml. Data, output and media are volumes; settings are variables PREPRESS_*.
# Images are named by tags: docs/operations.md shows how to pin their digests.

FROM node:24-bookworm-slim AS package
WORKDIR /build
COPY package.json package-lock.json tsconfig.json .eleventy.js LICENSE README.md ./
COPY drivers drivers
COPY scripts scripts
COPY src src
COPY content content
COPY data/sample-publication.json data/
COPY data/sample-pictures data/sample-pictures
COPY packaging packaging
RUN npm ci --no-audit --no-fund && npm pack --ignore-scripts && mv prepress-content-*.tgz /prepress.tgz

FROM node:24-bookworm-slim AS install
WORKDIR /srv/prepress
# Versions and sums are those of the lock file.
COPY packaging/container/package.json package-lock.json ./
COPY --from=package /prepress.tgz /prepress.tgz
# npm would compile the SQLite driver, which ships compiled, and leave it out, because there is no compiler here.
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund /prepress.tgz && rm package-lock.json

FROM node:24-bookworm-slim
# One arena of malloc, and a small nursery of V8: a busy server takes a fifth less memory.
ENV NODE_ENV=production PREPRESS_HOST=0.0.0.0 MALLOC_ARENA_MAX=1
WORKDIR /srv/prepress
COPY --from=install /srv/prepress ./
RUN install -d -o node -g node data output media
USER node
VOLUME ["/srv/prepress/data", "/srv/prepress/output", "/srv/prepress/media"]
EXPOSE 4000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PREPRESS_PORT ?? 4000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=4", "node_modules/prepress-content/dist/prepress.js"]
CMD ["serve", "--sample"]
