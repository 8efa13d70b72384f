#!/usr/bin/env bash
# Deploys the site.
set -euo pipefail

source ./lib/common.sh
. "$HOME/.profile"

readonly TARGET_DIR="/srv/www"
export STAGE=prod
count=0
alias ll='ls -l'

# Logs a line.
log() {
  local message="$1"
  echo "$message"
}

function deploy {
  log "deploying"
}

function roll_back() {
  log "back"
}

deploy "$@"
