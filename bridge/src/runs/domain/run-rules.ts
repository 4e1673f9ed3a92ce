import { decide } from "./decide.ts";
import { apply, initialState } from "./run-state.ts";

/** The rules of a run's stream. */
export const runRules = { initial: initialState, decide, apply };
