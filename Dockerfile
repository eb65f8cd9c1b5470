# The service without npm, build tools and dependencies: `docker build -t unified-records .`
# For both architectures: `docker buildx build --platform linux/amd64,linux/arm64 -t unified-records .`
# The build runs on the machine's own architecture. The last stage only copies, so it needs no emulation.
ARG NODE_IMAGE=docker.io/library/node:26-bookworm-slim

FROM --platform=${BUILDPLATFORM} ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN npm run setup \
 && node scripts/release/pack.ts --stage /image/app \
 && install -d -m 0755 /image/usr/local/bin \
 && ln -s /app/bin/unirec.mjs /image/usr/local/bin/unirec \
 && install -d -m 0700 /data

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Unified Records" \
      org.opencontainers.image.source="https://github.com/unified-records/unified-records" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /image/ /
COPY --from=build --chown=1000:1000 /data /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data SANDBOX=off
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--v8-pool-size=1", "--max-semi-space-size=32", "--no-allocation-site-pretenuring", "/app/dist/main.mjs"]
