# The client, the files that https needs, and nothing else. README.md says what to build it in and how to run it.
FROM scratch
ARG TARGETARCH
ARG TARGETVARIANT
COPY --chmod=755 flashdex-linux-${TARGETARCH}${TARGETVARIANT} /flashdex
COPY ca-certificates.crt /etc/ssl/certs/
COPY notices /copyright
# A folder in the container would go with it. So would the secret with which the owner of each result can delete it.
ENV FLASHDEX_DIR=/results
VOLUME /results
ENTRYPOINT ["/flashdex"]
LABEL org.opencontainers.image.title="Flashdex" org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.url="https://flashdex.example"
