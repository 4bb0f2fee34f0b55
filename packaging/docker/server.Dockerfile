# The server, everything that it publishes with, and the files that https needs. README.md says what to build it in and
# how to run it.
FROM scratch
COPY usr/lib/flashdex /usr/lib/flashdex
COPY usr/share/doc /usr/share/doc
COPY ca-certificates.crt /etc/ssl/certs/
# /tmp with its mode, which COPY to /tmp would lose, and /var/lib, which the next line would give to its user.
COPY root /
COPY --chown=10001:10001 empty /var/lib/flashdex
# As in api/deploy/Dockerfile.
ENV FLASHDEX_HUGO=/usr/lib/flashdex/hugo FLASHDEX_CLIENTS=/usr/lib/flashdex/clients \
  FLASHDEX_SITE_PROJECT=/usr/lib/flashdex/site FLASHDEX_DATA_DIR=/var/lib/flashdex FLASHDEX_METRICS_LISTEN=:9464
USER 10001:10001
VOLUME /var/lib/flashdex
ENTRYPOINT ["/usr/lib/flashdex/api"]
CMD ["serve"]
LABEL org.opencontainers.image.title="Flashdex server" org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.url="https://flashdex.example"
