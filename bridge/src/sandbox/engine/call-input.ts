import { measureJson } from "../../json/measure-json.ts";

const DEPTH = 64;

/**
 * Finds out which limit the input of a call exceeds before the input is parsed; undefined if none. Checked in the program's process, and
 * again in the bridge.
 */
export function callInputProblem(json: Uint8Array, members: number): ReturnType<typeof measureJson> {
	// Text this short is within every limit.
	return json.length <= DEPTH ? undefined : measureJson(json, { depth: DEPTH, members });
}
