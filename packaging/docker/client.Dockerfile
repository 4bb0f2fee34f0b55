# The client and what it needs for https, and nothing else. What to build it in, and how to run it: README.md.
FROM scratch
ARG TARGETARCH
ARG TARGETVARIANT
COPY --chmod=755 flashdex-linux-${TARGETARCH}${TARGETVARIANT} /flashdex
COPY ca-certificates.crt /etc/ssl/certs/
COPY notices /copyright
# A folder of the container would go with it, and with each result the secret by which its owner can delete it.
ENV FLASHDEX_DIR=/results
VOLUME /results
ENTRYPOINT ["/flashdex"]
LABEL org.opencontainers.image.title="Flashdex" org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.url="https://flashdex.example"
