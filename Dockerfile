# Avow as an image, built with the commands of a clone. Run by a user without rights on a read-only file system:
# what it writes goes to /data and /tmp. compose.yaml starts it beside a PostgreSQL.
FROM node:24-bookworm-slim AS build
WORKDIR /avow
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
RUN npm ci --include=dev
COPY . .
RUN npm run build
RUN npm ci --omit=dev
# An empty folder for the last stage, where nothing runs as root.
WORKDIR /data

FROM node:24-bookworm-slim
# PREPARE=off: npm scripts install and build nothing, and run what is here.
ENV NODE_ENV=production \
    DATA_DIR=/data \
    PREPARE=off \
    UV_THREADPOOL_SIZE=16 \
    npm_config_logs_max=0 \
    npm_config_update_notifier=false
WORKDIR /avow
COPY --from=build /avow ./
COPY --from=build --chown=node:node /data /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "."]
