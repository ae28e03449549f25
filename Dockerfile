# The server alone in a small image: no package manager's tree, no root, no network of its own. docs/hardening.md says how to
# run it. Pin both images by their digest where you build it.
FROM node:24-alpine AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-alpine
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
  && mkdir -p /srv/config && install -d -m 0700 -o node -g node /var/lib/config-airlock
COPY --from=build /build/package.json /build/LICENSE /opt/config-airlock/
COPY --from=build /build/bundle /opt/config-airlock/bundle
# A flag wins over them: `docker run … config-airlock --read-only`.
ENV AIRLOCK_ROOT=/srv/config AIRLOCK_STATE_DIR=/var/lib/config-airlock
USER node
ENTRYPOINT ["node", "/opt/config-airlock/bundle/cli.js"]
