#!/bin/sh
# The compiler with a bound on its memory, which it has no setting for that would hold.
ulimit -d "$BOUNDED_COMPILER_KIB" && exec "$BOUNDED_COMPILER" "$@"
