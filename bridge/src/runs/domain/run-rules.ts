import { decide } from "./decide.ts";
import { apply, initialState } from "./run-state.ts";

/** A run as a stream of the log. */
export const runRules = { initial: initialState, decide, apply };
