import { measureJson } from "../../json/measure-json.ts";

const DEPTH = 64;

/** Which bound the input of a call exceeds, before it is parsed; asked in the program's process, and again in the bridge. */
export function callInputProblem(json: Uint8Array, members: number): ReturnType<typeof measureJson> {
	// So short a text is within every bound.
	return json.length <= DEPTH ? undefined : measureJson(json, { depth: DEPTH, members });
}
