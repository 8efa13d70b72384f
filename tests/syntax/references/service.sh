#!/bin/bash
source ./lib/util.sh
. "$DIR/env.sh"
helper() { echo "$1" | grep x; other_fn "$@" && done_fn; }
function main { local x=$(compute 1 2); helper "$x"; if check; then run; fi; trap cleanup EXIT; git commit -m x; }
main "$@"
