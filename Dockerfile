# The same browser, fonts and libraries on every machine, and so the same numbers.
#
#   docker build --tag design2a11y .
#   curl -fO https://raw.githubusercontent.com/microsoft/playwright/v1.62.1/utils/docker/seccomp_profile.json
#   docker run --rm --security-opt seccomp=seccomp_profile.json --volume "$PWD:/work" design2a11y pytest
#
# The tests run as a user without rights. Playwright's profile is Docker's own with leave to create user namespaces, in which
# Chromium sets up its sandbox; without it pages are rendered outside of one, and every result says `sandbox: false`.
FROM python:3.13-slim-bookworm@sha256:01f42367a0a94ad4bc17111776fd66e3500c1d87c15bbd6055b7371d39c124fb

# Browser and fonts are those of Debian on this day; a later day is another set of conditions.
ARG SNAPSHOT=20261115T000000Z

SHELL ["/bin/bash", "-euo", "pipefail", "-c"]

# hadolint ignore=DL3008
RUN rm -f /etc/apt/sources.list.d/* \
    && archive=http://snapshot.debian.org/archive \
    && printf 'deb %s\n' \
        "$archive/debian/$SNAPSHOT bookworm main" \
        "$archive/debian/$SNAPSHOT bookworm-updates main" \
        "$archive/debian-security/$SNAPSHOT bookworm-security main" >/etc/apt/sources.list \
    && apt-get -o Acquire::Check-Valid-Until=false update \
    && apt-get install --yes --no-install-recommends \
        chromium-headless-shell fontconfig libatomic1 \
        fonts-liberation fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji \
    && rm -rf /var/lib/apt/lists/*

COPY Dockerfile.constraints pyproject.toml hatch_build.py README.md LICENSE /source/
COPY pytest_design2a11y /source/pytest_design2a11y
RUN pip install --no-cache-dir --constraint /source/Dockerfile.constraints "/source[difflib,picture]" \
        pytest-playwright pytest-xdist \
    && rm -rf /source

RUN useradd --create-home --uid 10001 tester
USER 10001
WORKDIR /work
ENV DESIGN2A11Y_CHROMIUM=/usr/bin/chromium-headless-shell \
    PYTHONDONTWRITEBYTECODE=1
CMD ["pytest"]
